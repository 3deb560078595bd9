import type { Implementation } from '../../platform/http/implementation.ts'
import type { Task } from '../../platform/queue/queue.ts'
import type { IdentityServices } from '../identity/index.ts'
import { eligibleMembers } from './eligible-members.ts'
import { groupMembers } from './group-members.ts'
import { groupTree } from './group-tree.ts'
import { groups } from './groups.ts'
import { individualStates } from './individual-states.ts'
import { individuals } from './individuals.ts'
import { merging } from './merging.ts'
import { patientExport } from './patient-export.ts'
import { patientImports } from './patient-import.ts'
import { importPatientsTask, resumeImports } from './patient-import-task.ts'
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
  ...patientImports,
  ...patientExport,
  ...tags,
  ...groups,
  ...groupMembers,
  ...eligibleMembers,
  ...groupTree,
]

export const peopleTasks = (services: Pick<IdentityServices, 'outbox' | 'publicUrl'>): Task[] => [
  addUpCounts,
  importPatientsTask(services),
  resumeImports,
]
