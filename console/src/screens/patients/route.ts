import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readSearch } from './search.ts'

export const patientsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/patients',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./patients-screen.tsx'), 'PatientsScreen'),
})
