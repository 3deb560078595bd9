// The pages that need no sign-in. Messages that were sent lead to /register and /reset-password: these stay as they are.

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rootRoute } from '../frame/root-route.ts'
import { sessionState } from '../session/session.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)
/** A path of this console, and never another site. */
const local = (value: unknown): string | undefined => (/^\/(?![/\\])/.test(text(value) ?? '') ? text(value) : undefined)

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Said also when it is undefined: what is left out here, the router takes as it was given.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string | undefined } => ({ next: local(next) }),
  beforeLoad: ({ search }) => {
    if (sessionState() === 'signed-in') throw redirect({ href: search.next ?? '/' })
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

const forgottenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgotten-page.tsx'), 'ForgottenPage'),
})

const withToken = ({ token }: Record<string, unknown>): { token?: string | undefined } => ({ token: text(token) })

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  validateSearch: withToken,
  component: lazyRouteComponent(() => import('./link-pages.tsx'), 'RegisterPage'),
})

export const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: withToken,
  component: lazyRouteComponent(() => import('./link-pages.tsx'), 'ResetPage'),
})

export const entranceRoutes = [signInRoute, forgottenRoute, registerRoute, resetRoute] as const
