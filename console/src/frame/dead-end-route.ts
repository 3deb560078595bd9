import { createRoute } from '@tanstack/react-router'
import { NotFound } from './not-found.tsx'
import { frameRoute } from './route.ts'

/** Every address that no screen has. */
export const deadEndRoute = createRoute({ getParentRoute: () => frameRoute, path: '$', component: NotFound })
