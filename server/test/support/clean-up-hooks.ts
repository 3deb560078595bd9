// Run before every test file: a hook that is registered by a running test would never be called.

import { afterAll, afterEach } from 'vitest'
import { endOfFile, endOfTest } from './clean-up.ts'

afterEach(endOfTest)
afterAll(endOfFile)
