import { defineConfig } from 'vitest/config'

const shared = {
  setupFiles: ['test/no-leaks.ts'],
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // A loaded machine is no fault.
  expect: { poll: { timeout: 20_000 } },
}

/** Journeys open a world each, of their own; the screens are looked at in one that is filled once for all of them. */
export default defineConfig({
  test: {
    root: '.',
    fileParallelism: false,
    projects: [
      { test: { ...shared, name: 'journeys', include: ['e2e/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'screens',
          include: ['e2e/screens/*.test.ts'],
          globalSetup: 'e2e/shared-world.ts',
        },
      },
    ],
  },
})
