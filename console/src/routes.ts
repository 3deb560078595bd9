// Every address of the console. A screen adds its route here and, when the menu should lead to it, to navigation.ts.

import { entranceRoutes } from './entrance/routes.ts'
import { deadEndRoute } from './frame/dead-end-route.ts'
import { rootRoute } from './frame/root-route.ts'
import { frameRoute } from './frame/route.ts'
import { accountRoute } from './screens/account/route.ts'
import { administrationRoute } from './screens/administration/route.ts'
import { alertRuleRoute, alertRulesRoute, newAlertRuleRoute } from './screens/alert-rules/route.ts'
import { alertRoute, alertsRoute } from './screens/alerts/route.ts'
import { groupsRoute } from './screens/groups/route.ts'
import { homeRoute } from './screens/home/route.ts'
import { importPatientsRoute } from './screens/import-patients/route.ts'
import { newPatientRoute } from './screens/new-patient/route.ts'
import { notificationPreferencesRoute } from './screens/notifications/route.ts'
import { patientRoute } from './screens/patient/route.ts'
import { patientsRoute } from './screens/patients/route.ts'

// biome-ignore format: one line for each screen
const screens = frameRoute.addChildren([
  homeRoute,
  patientsRoute,
  newPatientRoute,
  importPatientsRoute,
  groupsRoute,
  administrationRoute,
  alertsRoute,
  alertRoute,
  alertRulesRoute,
  newAlertRuleRoute,
  alertRuleRoute,
  accountRoute,
  notificationPreferencesRoute,
  patientRoute,
  deadEndRoute,
])

export const routeTree = rootRoute.addChildren([...entranceRoutes, screens])
