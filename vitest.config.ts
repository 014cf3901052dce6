import { defineConfig } from 'vitest/config'

const shared = {
  setupFiles: ['test/no-writes.ts', 'test/no-leaks.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}
/** Tests of screens share a document with nobody. */
const screens = 'src/web/**/*.test.tsx'

/** What has no document of its own runs file after file in two processes, which load the product once. */
export default defineConfig({
  test: {
    globalSetup: ['test/postgres.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'laws and slices',
          include: ['{src,test,tools}/**/*.test.{ts,tsx}'],
          exclude: [screens],
          isolate: false,
        },
      },
      { test: { ...shared, name: 'web', include: [screens] } },
    ],
  },
})
