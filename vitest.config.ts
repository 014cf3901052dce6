import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const shared = {
  // Processes of the product that tests start need not compile it again.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
  setupFiles: ['test/no-writes.ts', 'test/no-leaks.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}
const screens = 'src/web/**/*.test.tsx'

/**
 * Two processes run file after file, and load the product once: what a file does to a module, it undoes. Tests that render
 * screens have a process and a document each.
 */
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
