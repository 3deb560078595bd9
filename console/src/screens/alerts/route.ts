import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readSearch } from './alert-search.ts'

export const alertsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/alerts',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./alerts-screen.tsx'), 'AlertsScreen'),
})

export const alertRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/alerts/$id',
  component: lazyRouteComponent(() => import('./alert-screen.tsx'), 'AlertScreen'),
})
