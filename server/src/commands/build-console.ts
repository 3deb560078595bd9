// Run by npm after an install: the first start then has less to do. Where it is not run, or fails, the start builds the
// console itself, and says what is wrong if it cannot.

import { createLog } from '../platform/config/log.ts'
import { settings } from '../platform/config/settings.ts'
import { builtConsole } from '../platform/console/built-console.ts'

await builtConsole(settings.dataDir.default, createLog('silent')).catch((error: Error) => console.error(error.message))
