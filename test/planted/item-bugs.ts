import type { Bug } from './bug.ts'

/** The names of its tests are cut after about forty characters. */
const ruleBook = 'src/domain/mrr/rule-book.test.ts'

/** Faults that take one item of a subscription for another, or let one outlast what took its place. */
export const itemBugs: readonly Bug[] = [
  {
    name: 'a charge that names no item replaces the only item',
    file: 'src/domain/mrr/bills/item-keys.ts',
    text: 'keys.get(line) ?? keyOfPrice(line)',
    replacement: "(subscription.items.length === 1 ? subscription.items[0]?.id : keys.get(line)) ?? ''",
    caughtBy: [ruleBook, 'an item that came and went inside a'],
  },
  {
    name: 'a price bought again is the item that was given back',
    file: 'src/domain/mrr/bills/item-keys.ts',
    text: 'createdWith(line, subscription) ??',
    replacement: '',
    caughtBy: [ruleBook, 'an item given back and bought again'],
  },
  {
    name: 'a credit ends what begins in its second',
    file: 'src/domain/mrr/bills/item-keys.ts',
    text: '=> from < at && at < until)',
    replacement: '=> from <= at && at < until)',
    caughtBy: [ruleBook, 'a credit ends what was held before'],
  },
  {
    name: 'a price bought again replaces the item that was switched from it',
    file: 'src/domain/mrr/bills/item-keys.ts',
    text: 'return last === undefined || last.price === priceId || last.until <= at',
    replacement: 'return last === undefined || last.from <= at',
    caughtBy: [ruleBook, 'a price bought again counts beside'],
  },
  {
    name: 'a switch that nothing billed counts beside what took its place',
    file: 'src/domain/mrr/bills/item-keys.ts',
    text: '(isHeld ? undefined : onlyHolderAt(line, holdings)) ??',
    replacement: '',
    caughtBy: [ruleBook, 'a switch that nothing billed leaves'],
  },
  {
    name: 'what was seen of a new item outlasts its bill',
    file: 'src/domain/mrr/timeline/observation.ts',
    text: 'changedIds: state.changedIds.filter((itemId) => !isSold(itemId)),',
    replacement: '',
    caughtBy: [
      'src/domain/mrr/timeline/observations-and-bills.test.ts',
      'R21 bills move a change of a new item',
    ],
  },
  {
    name: 'an item that was seen to be gone ends before it is given back',
    file: 'src/domain/mrr/timeline/observation.ts',
    text: 'endedIds: state.endedIds.filter((itemId) => !isKept(itemId)),',
    replacement: '',
    caughtBy: [
      'src/domain/mrr/timeline/observations-and-bills.test.ts',
      'R21 a credit moves the end of an item',
    ],
  },
  {
    name: 'an item that another replaced counts until its period is over',
    file: 'src/domain/mrr/timeline/gone-items.ts',
    text: 'if (cycleAt !== undefined && cycleAt > since',
    replacement: 'if (cycleAt === 0 && cycleAt > since',
    caughtBy: [ruleBook, 'an item in the place of another, with a'],
  },
  {
    name: 'a new anchor says nothing of the item that it replaced',
    file: 'src/domain/mrr/timeline/new-cycles.ts',
    text: 'anchorAt !== null && Math',
    replacement: 'anchorAt === 0 && Math',
    caughtBy: [ruleBook, 'from years to months on a billing day'],
  },
  {
    name: 'items of a classic subscription may differ in their intervals',
    file: 'src/domain/mrr/timeline/new-cycles.ts',
    text: 'mixesIntervalsSince === null ||',
    replacement: 'mixesIntervalsSince === 0 ||',
    caughtBy: [ruleBook, 'the same in the classic billing mode'],
  },
  {
    name: 'a subscription that went over to mixed intervals always had them',
    file: 'src/domain/mrr/timeline/new-cycles.ts',
    text: 'at < (mixesIntervalsSince ?? 0)',
    replacement: 'at < (mixesIntervalsSince ?? 0) - at',
    caughtBy: [ruleBook, 'the same before the subscription went'],
  },
  {
    name: 'a new item ends another one that was only gone later',
    file: 'src/domain/mrr/timeline/new-cycles.ts',
    text: '!isInMonths(cadenceOfPeriod(at, bill.until))',
    replacement: 'until > at',
    caughtBy: [ruleBook, 'an item beside a year that is gone late'],
  },
  {
    name: 'a plan that stood for a second keeps its item',
    file: 'src/domain/mrr/bills/item-keys.ts',
    text: 'for (const [line, itemKey] of undone) keys.set(line, itemKey)',
    replacement: 'undone.clear()',
    caughtBy: [ruleBook, 'a plan that another took the place of'],
  },
]
