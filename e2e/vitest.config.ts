import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { Order } from './order.ts'

const shared = {
  // Processes of the product that tests start need not compile it again.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled') },
  setupFiles: ['test/no-leaks.ts'],
  testTimeout: 300_000,
  hookTimeout: 120_000,
  // A busy machine must not fail the tests.
  expect: { poll: { timeout: 60_000 } },
  isolate: false,
}

/**
 * Two files at a time. Each journey opens its own world; the screen tests share one that is filled once (e2e/alone.ts
 * lists the files that may change it).
 */
export default defineConfig({
  test: {
    root: '.',
    globalSetup: 'e2e/web.ts',
    maxWorkers: 2,
    sequence: { sequencer: Order },
    projects: [
      {
        test: {
          ...shared,
          name: 'journeys',
          include: ['e2e/*.test.ts'],
          globalSetup: 'test/postgres.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'screens',
          include: ['e2e/screens/*.test.ts'],
          globalSetup: ['test/postgres.ts', 'e2e/shared-world.ts'],
          // A file may have to wait for the shared world before it starts.
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
