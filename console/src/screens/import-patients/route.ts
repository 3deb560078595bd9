import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const importPatientsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/patients/import',
  /** The import that is shown: it can be come back to. */
  validateSearch: ({ id }: Record<string, unknown>): { id?: string | undefined } => ({
    id: typeof id === 'string' && UUID.test(id) ? id : undefined,
  }),
  component: lazyRouteComponent(() => import('./import-screen.tsx'), 'ImportScreen'),
})
