import { defineConfig } from 'vitest/config'
import { Order } from './order.ts'

const shared = {
  setupFiles: ['test/no-leaks.ts'],
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // A loaded machine is no fault.
  expect: { poll: { timeout: 20_000 } },
  isolate: false,
}

/**
 * Two files at a time. Journeys open a world each, of their own; the screens are looked at in one that is filled once for all
 * of them (e2e/alone.ts says who may change it).
 */
export default defineConfig({
  test: {
    root: '.',
    globalSetup: 'e2e/web.ts',
    maxWorkers: 2,
    sequence: { sequencer: Order },
    projects: [
      { test: { ...shared, name: 'journeys', include: ['e2e/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'screens',
          include: ['e2e/screens/*.test.ts'],
          globalSetup: 'e2e/shared-world.ts',
          // A file may have to wait for its turn before it begins.
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
