import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

export const notificationPreferencesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/account/notifications',
  component: lazyRouteComponent(() => import('./preferences-screen.tsx'), 'PreferencesScreen'),
})
