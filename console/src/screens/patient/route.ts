import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

export interface PatientSearch {
  /** The metrics that are shown, by their types, separated by commas. */
  metrics?: string | undefined
  /** What is seen of the time, in seconds since 1970. */
  from?: number | undefined
  to?: number | undefined
  view?: 'table' | undefined
  /** Times by the clock of the patient when left out. */
  clock?: 'mine' | undefined
}

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined)

function readSearch({ metrics, from, to, view, clock }: Record<string, unknown>): PatientSearch {
  const [start, end] = [number(from), number(to)]
  const isRange = start !== undefined && end !== undefined && start < end
  return {
    metrics: typeof metrics === 'string' && /^[A-Za-z0-9,]+$/.test(metrics) ? metrics : undefined,
    from: isRange ? start : undefined,
    to: isRange ? end : undefined,
    view: view === 'table' ? view : undefined,
    clock: clock === 'mine' ? clock : undefined,
  }
}

export const patientRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/patients/$id',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./patient-screen.tsx'), 'PatientScreen'),
})
