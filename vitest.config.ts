import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Many tests start the service as a process: what Node has compiled once is kept for all.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'almoner-compiled')

export default defineConfig({
  test: {
    include: ['{contract,server,client,forms,console,bench,scripts}/**/*.test.ts'],
    globalSetup: ['server/test/support/postgres.ts', 'console/test/support/built-once.ts'],
    // Loading the service takes longer than most tests: a process keeps what it has loaded.
    isolate: false,
    setupFiles: ['server/test/support/clean-up-hooks.ts'],
    // A browser beside everything else on two cores is slow at times, and a test of a screen has many steps.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The database and the test files share two cores, but some tests wait for most of their time.
    maxWorkers: 3,
    // Node reads TypeScript itself, as it does in production.
    experimental: { viteModuleRunner: false },
  },
})
