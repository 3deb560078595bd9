import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

const parentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/groups',
  component: lazyRouteComponent(() => import('./groups-layout.tsx'), 'GroupsLayout'),
})

const listRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./groups-screen.tsx'), 'GroupsScreen'),
})

const oneRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/$id',
  component: lazyRouteComponent(() => import('./group-screen.tsx'), 'GroupScreen'),
})

export const groupsRoute = parentRoute.addChildren([listRoute, oneRoute])
