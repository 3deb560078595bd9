// Everything an administrator sets up, below one address with its own menu.

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

const parentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/administration',
  component: lazyRouteComponent(() => import('./administration-layout.tsx'), 'AdministrationLayout'),
})

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const NO_FILTERS = { text: undefined, role: undefined, state: undefined, invite: undefined }

const firstRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/administration/users', replace: true, search: NO_FILTERS })
  },
})

const usersRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/users',
  validateSearch: (search: Record<string, unknown>) => ({
    text: text(search.text),
    role: text(search.role),
    state: text(search.state),
    invite: text(search.invite),
  }),
  component: lazyRouteComponent(() => import('./users/users-screen.tsx'), 'UsersScreen'),
})

const securityRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('./organization/security-screen.tsx'), 'SecurityScreen'),
})

const organizationRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/organization',
  component: lazyRouteComponent(() => import('./organization/organization-screen.tsx'), 'OrganizationScreen'),
})

const serviceAccountsRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/service-accounts',
  // Whoever comes from a patient connects a device for that one.
  validateSearch: (search: Record<string, unknown>) => ({ patient: text(search.patient) }),
  component: lazyRouteComponent(() => import('./service-accounts/accounts-screen.tsx'), 'AccountsScreen'),
})

const serviceAccountRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/service-accounts/$id',
  component: lazyRouteComponent(() => import('./service-accounts/account-screen.tsx'), 'AccountScreen'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
})

const webhookRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./webhooks/webhook-screen.tsx'), 'WebhookScreen'),
})

const auditRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>) => ({
    user: text(search.user),
    individual: text(search.individual),
    operation: text(search.operation),
    outcome: text(search.outcome),
    from: text(search.from),
    to: text(search.to),
  }),
  component: lazyRouteComponent(() => import('./audit/audit-screen.tsx'), 'AuditScreen'),
})

const outboxRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/outbox',
  component: lazyRouteComponent(() => import('./outbox/outbox-screen.tsx'), 'OutboxScreen'),
})

const classificationsRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/classifications',
  component: lazyRouteComponent(() => import('./classifications/sets-screen.tsx'), 'SetsScreen'),
})

const classificationRoute = createRoute({
  getParentRoute: () => parentRoute,
  path: '/classifications/$id',
  validateSearch: (search: Record<string, unknown>) => ({ copy: text(search.copy) }),
  component: lazyRouteComponent(() => import('./classifications/set-screen.tsx'), 'SetScreen'),
})

export const administrationRoute = parentRoute.addChildren([
  firstRoute,
  usersRoute,
  securityRoute,
  organizationRoute,
  serviceAccountsRoute,
  serviceAccountRoute,
  webhooksRoute,
  webhookRoute,
  auditRoute,
  outboxRoute,
  classificationsRoute,
  classificationRoute,
])
