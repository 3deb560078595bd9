import type { Implementation } from '../../platform/http/implementation.ts'
import { groups } from './groups.ts'
import './tables.ts'

export const people: Implementation[] = [...groups]
