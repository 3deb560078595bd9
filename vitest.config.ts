import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,client,forms,console,bench,scripts}/**/*.test.ts'],
    globalSetup: ['server/test/support/postgres.ts', 'console/test/support/built-once.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The database and the test files share two cores.
    maxWorkers: 2,
  },
})
