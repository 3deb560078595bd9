// Every address of the console. A screen adds its route here and, when the menu should lead to it, to navigation.ts.

import { entranceRoutes } from './entrance/routes.ts'
import { deadEndRoute } from './frame/dead-end-route.ts'
import { rootRoute } from './frame/root-route.ts'
import { frameRoute } from './frame/route.ts'
import { accountRoute } from './screens/account/route.ts'
import { alertRuleRoute, alertRulesRoute, newAlertRuleRoute } from './screens/alert-rules/route.ts'
import { alertRoute, alertsRoute } from './screens/alerts/route.ts'
import { homeRoute } from './screens/home/route.ts'
import { notificationPreferencesRoute } from './screens/notifications/route.ts'

const screens = frameRoute.addChildren([
  homeRoute, //
  alertsRoute,
  alertRoute,
  alertRulesRoute,
  newAlertRuleRoute,
  alertRuleRoute,
  accountRoute,
  notificationPreferencesRoute,
  deadEndRoute,
])

export const routeTree = rootRoute.addChildren([...entranceRoutes, screens])
