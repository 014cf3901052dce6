import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const shared = {
  // Processes of the product that tests start need not compile it again.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
  setupFiles: ['test/no-writes.ts', 'test/no-leaks.ts'],
  // A busy machine must not fail the tests.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}
const screens = 'src/web/**/*.test.tsx'

/** Samples that run a second time on tables that are divided by organization: store, import, push, lists, erasure. */
const onPartitions = [
  'src/server/api/lists/lists.test.ts',
  'src/server/store/{ledger/snapshots,payments/catalog,payments/customer-objects,payments/invoices}.test.ts',
  'src/server/work/erasure/erase-customer.test.ts',
  'src/server/work/import/{import-payments,scenarios/share-import}.test.ts',
  'src/server/work/ledger/verify-ledger.test.ts',
  'src/server/work/push/push-crm.test.ts',
]

/**
 * Two processes run file after file, and load the product once: what a file does to a module, it undoes. All tests of a
 * process that render screens share its document.
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
      {
        test: {
          ...shared,
          name: 'web',
          include: [screens],
          setupFiles: ['test/web/document.ts', ...shared.setupFiles, 'test/web/no-bad-markup.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'partitioned',
          include: onPartitions,
          env: { ...shared.env, TEST_PARTITIONS: '2' },
          isolate: false,
        },
      },
    ],
  },
})
