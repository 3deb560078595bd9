import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import type { IdentityServices } from '../identity/index.ts'
import { groups } from './groups.ts'
import { individualStates } from './individual-states.ts'
import { individuals } from './individuals.ts'
import { merging } from './merging.ts'
import { patients } from './patients.ts'
import { addUpCounts } from './relisting.ts'
import { tags } from './tags.ts'
import './tables.ts'

export { checkListing } from './relisting.ts'

export const people = (services: IdentityServices): Implementation[] => [
  ...individuals,
  ...individualStates,
  ...merging,
  ...patients(services),
  ...tags,
  ...groups,
]

export const peopleTasks: Task[] = [addUpCounts]
