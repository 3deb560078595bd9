export { failTask, finishTask, progressTask, startTask } from './queries.ts'
export { tasks } from './tasks.ts'
