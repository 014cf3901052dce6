import type { Bug } from './bug.ts'

const decided = 'src/server/work/ledger/decide-reporting.test.ts'

/** A figure in the wrong currency, or one that was added up with another. */
export const reportingBugs: readonly Bug[] = [
  {
    name: 'amounts without a rate that count one to one',
    file: 'src/domain/reporting/conversion.ts',
    text: 'if (to === null || !found) return nothing',
    replacement: 'if (to === null || !found) return { cents, rate: null }',
    caughtBy: [decided, 'every total is in it'],
  },
  {
    name: 'a reporting currency that changes without its rows',
    file: 'src/server/work/ledger/decide-reporting.ts',
    text: 'if (chosen !== currency) await markAllRebuildDue(tenant)',
    replacement: '',
    caughtBy: [decided, 'takes the place of one that few subscriptions made likely'],
  },
  {
    name: 'a reporting currency that each import chooses anew',
    file: 'src/server/work/ledger/decide-reporting.ts',
    text: 'isDecided ? null : currencyOfMost',
    replacement: 'isDecided && false ? null : currencyOfMost',
    caughtBy: [decided, 'is kept, whatever later imports bring'],
  },
  {
    name: 'yen that stand between dollars by their number',
    file: 'src/server/store/lists/subscription-order.ts',
    text: 's.reporting_mrr_cents',
    replacement: 's.current_mrr_cents',
    caughtBy: ['src/server/store/lists/lists-at-size.test.ts', 'currentMrr'],
  },
]
