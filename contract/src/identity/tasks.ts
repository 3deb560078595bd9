import {
  anyObject,
  datetime,
  get,
  integer,
  nullable,
  one,
  oneOf,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

export const TASK_STATES = ['created', 'running', 'completed', 'failed'] as const

/** Work that goes on after its request was answered. */
export const Task = resource('tasks', {
  kind: text({ description: 'What it does, such as `import-patients`.' }),
  organizationId: uuid(),
  state: oneOf(TASK_STATES),
  done: integer({ description: 'How much of it is done.' }),
  total: nullable(integer({ description: 'Of how much; null while that is not known.' })),
  result: anyObject({ description: 'What came of it, by its kind.' }),
  error: nullable(text({ description: 'Why it failed.' })),
  createdAt: datetime(),
  finishedAt: nullable(datetime()),
})

export const getTask = get({
  id: 'get-task',
  summary: 'Ask how far a task is',
  description: 'Open to who started it, and to administrators of its organization.',
  path: '/identity/v1/tasks/{id}/',
  access: roles('org-admin', 'provider'),
  answer: one(Task),
})
