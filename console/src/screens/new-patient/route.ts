import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

export const newPatientRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/patients/new',
  component: lazyRouteComponent(() => import('./new-patient-screen.tsx'), 'NewPatientScreen'),
})
