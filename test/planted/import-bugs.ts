import type { Bug } from './bug.ts'

const windows = 'src/server/store/runs/import-windows.test.ts'
const choice = 'src/server/work/import/choose-windows.test.ts'

/** Faults that let two readers of an import read or save the same, or rebuild a customer too early. */
export const importBugs: readonly Bug[] = [
  {
    name: 'a window that a second reader takes from the first',
    file: 'src/server/store/runs/import-windows.ts',
    text: 'and not is_done and ${isFree(lease.holder)}',
    replacement: 'and not is_done',
    caughtBy: [windows, 'gives free windows'],
  },
  {
    name: 'a page of a reader who has lost its window',
    file: 'src/server/store/runs/import-windows.ts',
    text: 'and known.id = given.id and known.holder = ${lease.holder}',
    replacement: 'and known.id = given.id',
    caughtBy: [windows, 'takes nothing from who has lost it'],
  },
  {
    name: 'a history that is taken for read up to the second at its cursor',
    file: 'src/server/work/import/choose-windows.ts',
    text: 'cursorAt + 1',
    replacement: 'cursorAt',
    caughtBy: [choice, 'is after the second at the cursor'],
  },
]
