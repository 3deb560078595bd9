// The frame around every screen of someone who is signed in. A screen's route names it as its parent.

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ask } from '../session/asking.ts'
import { sessionState } from '../session/session.ts'
import { queries } from './queries.ts'
import { rootRoute } from './root-route.ts'

export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: ({ location }) => {
    if (sessionState() !== 'signed-out') return
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
  },
  loader: () =>
    Promise.all([queries.ensureQueryData(ask('getProfile')), queries.ensureQueryData(ask('listOrganizations'))]),
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})
