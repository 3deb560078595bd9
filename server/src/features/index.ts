// Every feature of the product. A new one is added here.

import type { Implementation } from '../platform/http/implementation.ts'
import type { SignInAttempts } from '../platform/limits/sign-in-attempts.ts'
import { identity } from './identity/index.ts'

export interface FeatureServices {
  signInAttempts: SignInAttempts
}

export const implementations = (services: FeatureServices): Implementation[] => [...identity(services)]
