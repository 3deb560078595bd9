import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

export const alertRulesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/alert-rules',
  component: lazyRouteComponent(() => import('./rules-screen.tsx'), 'RulesScreen'),
})

export const newAlertRuleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/alert-rules/new',
  component: lazyRouteComponent(() => import('./rule-screen.tsx'), 'NewRuleScreen'),
})

export const alertRuleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/alert-rules/$id',
  component: lazyRouteComponent(() => import('./rule-screen.tsx'), 'RuleScreen'),
})
