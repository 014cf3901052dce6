import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { Order } from './order.ts'

/**
 * Two processes, each with one browser, run file after file. Each journey opens its own world; the screen tests share one
 * that is filled once (e2e/alone.ts lists the files that may change it).
 */
export default defineConfig({
  test: {
    root: '.',
    include: ['e2e/**/*.test.ts'],
    // Processes of the product that tests start need not compile it again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled') },
    globalSetup: ['e2e/web.ts', 'test/postgres.ts', 'e2e/shared-world.ts'],
    setupFiles: ['test/no-leaks.ts'],
    testTimeout: 300_000,
    // A file may have to wait until it has the shared world to itself.
    hookTimeout: 600_000,
    // A busy machine must not fail the tests.
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: Order },
  },
})
