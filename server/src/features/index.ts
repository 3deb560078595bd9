// Every feature of the product. A new one is added here.

import type { Implementation } from '../platform/http/implementation.ts'
import { type IdentityServices, identity } from './identity/index.ts'
import { people } from './people/index.ts'
import { tasks } from './tasks/index.ts'

export type FeatureServices = IdentityServices

export const implementations = (services: FeatureServices): Implementation[] => [
  ...identity(services),
  ...people(services),
  ...tasks,
]
