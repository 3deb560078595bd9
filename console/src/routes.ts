// Every address of the console. A screen adds its route here and, when the menu should lead to it, to navigation.ts.

import { entranceRoutes } from './entrance/routes.ts'
import { deadEndRoute } from './frame/dead-end-route.ts'
import { rootRoute } from './frame/root-route.ts'
import { frameRoute } from './frame/route.ts'
import { accountRoute } from './screens/account/route.ts'
import { homeRoute } from './screens/home/route.ts'
import { patientRoute } from './screens/patient/route.ts'

const screens = frameRoute.addChildren([
  homeRoute, //
  accountRoute,
  patientRoute,
  deadEndRoute,
])

export const routeTree = rootRoute.addChildren([...entranceRoutes, screens])
