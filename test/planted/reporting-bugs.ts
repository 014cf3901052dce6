import type { Bug } from './bug.ts'

const anew = 'src/server/work/ledger/convert-anew.test.ts'
const conversion = 'src/domain/reporting/conversion.test.ts'
const revalued = 'src/domain/reporting/revalued.test.ts'
const revaluedFigures = 'src/server/api/figures/revalued.test.ts'
const several = 'src/server/work/push/scenarios/several-currencies.test.ts'
const crmRates = 'src/server/work/crm/read-crm-rates.test.ts'
const decided = 'src/server/work/ledger/decide-reporting.test.ts'
const card = 'src/web/screens/account/reporting/reporting-card.test.tsx'
const waiting = 'src/server/work/push/scenarios/waiting.test.ts'
const exact = 'src/web/screens/subscription/receipt/exact-amount.test.ts'

/** A figure in the wrong currency, or one that was added up with another. */
export const reportingBugs: readonly Bug[] = [
  {
    name: 'records that count as in sync although their converted amounts changed since',
    file: 'db/migrations/0043_wide_updates.sql',
    text: '(added.reporting_change_cents, added.reporting_rate)',
    replacement: '(removed.reporting_change_cents, removed.reporting_rate)',
    caughtBy: [waiting, 'as many records wait as the next push writes'],
  },
  {
    name: 'records of a customer with another name that count as in sync',
    file: 'db/migrations/0043_wide_updates.sql',
    text: 'where (added.name, added.email) is distinct from (removed.name, removed.email)',
    replacement: 'where added.id is distinct from removed.id',
    caughtBy: [waiting, 'as many records wait as the next push writes'],
  },
  {
    name: 'records of zero that count as in sync under another reporting currency',
    file: 'src/server/work/ledger/convert-anew.ts',
    text: 'if (isOtherCurrency) await markRecordsOutdated(tenant, due)',
    replacement: '',
    caughtBy: [waiting, 'as many records wait as the next push writes'],
  },
  {
    name: 'uploads of rates without an end',
    file: 'src/server/api/setup/reporting.ts',
    text: 'if ((await countOwnRates(tenant)) > keptMax) throw tooManyRates()',
    replacement: '',
    caughtBy: ['src/server/api/setup/reporting.test.ts', 'rates are kept up to a bound'],
  },
  {
    name: 'amounts of a receipt with the digits that an engine knows of a currency',
    file: 'src/web/screens/subscription/receipt/exact-amount.ts',
    text: 'const digits = minorDigits(currency)',
    replacement:
      "const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2",
    caughtBy: [exact, 'read as on every other screen'],
  },
  {
    name: 'an amount without a rate under the code of the reporting currency',
    file: 'src/domain/reporting/crm-converted.ts',
    text: "convertedCurrency: isKnown ? currency.toUpperCase() : ''",
    replacement: "convertedCurrency: currency?.toUpperCase() ?? ''",
    caughtBy: [several, 'never one to one'],
  },
  {
    name: 'properties of currencies that an organization does not have',
    file: 'src/server/store/reporting/conversions.ts',
    text: '(await listOwnCurrencies(tenant)).some((own) => own !== currency)',
    replacement: '(await listOwnCurrencies(tenant)).length > 0',
    caughtBy: [several, 'never one to one'],
  },
  {
    name: 'another rate that no push follows',
    file: 'db/migrations/0020_converted.sql',
    text: 'added.unsupported_reason, added.reporting_mrr_cents, added.reporting_rate)',
    replacement: 'added.unsupported_reason, removed.reporting_mrr_cents, removed.reporting_rate)',
    caughtBy: [several, 'gets what a rate, the method or the reporting currency changes'],
  },
  {
    name: 'rates to a currency that the account in the CRM had before',
    file: 'src/domain/reporting/crm-rates.ts',
    text: 'to !== companyCurrency || ',
    replacement: '',
    caughtBy: [crmRates, 'are kept from every page'],
  },
  {
    name: 'rates of the CRM that are asked for without leave',
    file: 'src/server/work/crm/read-crm-rates.ts',
    text: "if (refusal !== null) throw new Refusal('provider_refused', refusal)",
    replacement: '',
    caughtBy: [crmRates, 'are refused in one sentence'],
  },
  {
    name: 'an amount of the old reporting currency under the code of the new one',
    file: 'src/server/work/push/converted-basis.ts',
    text: '  await finishConverting(deps, organizationId, access.signal)\n',
    replacement: '',
    caughtBy: [several, 'waits for a conversion at work'],
  },
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
    name: 'a corrected rate that changes closed months',
    file: 'src/domain/reporting/parse-rates.ts',
    text: 'rates: { ...stated, ...known }',
    replacement: 'rates: { ...known, ...stated }',
    caughtBy: [anew, 'change open months only'],
  },
  {
    name: 'a decrease at the rate of its day, which leaves a rest of what was booked',
    file: 'src/domain/reporting/conversion.ts',
    text: 'mrrChangeCents >= 0 || currency === conversion.currency',
    replacement: 'mrrChangeCents >= 0 || mrrChangeCents < 0',
    caughtBy: [conversion, 'nothing is left of it when it is over'],
  },
  {
    name: 'half a unit that is rounded down',
    file: 'src/domain/reporting/rate.ts',
    text: 'return roundHalfUp(times(cents, { top: 1n, bottom: unit })) * Number(unit)',
    replacement: 'return Number(cents.top / (cents.bottom * unit)) * Number(unit)',
    caughtBy: [conversion, 'rounded once'],
  },
  {
    name: 'rates of any size',
    file: 'src/domain/reporting/parse-rates.ts',
    text: 'if (!isPossibleRate(text))',
    replacement: 'if (false)',
    caughtBy: ['src/domain/reporting/parse-rates.test.ts', 'a rate has to lie between'],
  },
  {
    name: 'a rest of krónur that is not whole',
    file: 'src/domain/reporting/conversion.ts',
    text: 'const left = roundMinor(share, conversion.currency)',
    replacement: "const left = roundMinor(share, 'usd')",
    caughtBy: [conversion, 'nothing is left of it when it is over'],
  },
  {
    name: 'a currency that joined the euro and still follows the file',
    file: 'src/domain/reporting/rate.ts',
    text: 'member && day >= member.since ? member.rate : rates[currency]',
    replacement: 'rates[currency]',
    caughtBy: [conversion, 'the words of a rate'],
  },
  {
    name: 'converted rows that no total follows',
    file: 'src/server/store/reporting/conversions.ts',
    text: "await writeCounted(tenant, 'subscriptions', { which, statement })",
    replacement: 'await statement.execute(tenant.sql)',
    caughtBy: [anew, 'bring every currency that they have into the totals'],
  },
  {
    name: 'a conversion that takes what an import read for counted',
    file: 'src/server/work/ledger/convert-anew.ts',
    text: "await settleCustomers(tenant, customerIds, 'keep')",
    replacement: 'await settleCustomers(tenant, customerIds)',
    caughtBy: [anew, 'leaves customers due whose changes nobody has counted yet'],
  },
  {
    name: 'levels that keep the rate of yesterday',
    file: 'src/server/work/ledger/convert-anew.ts',
    text: "reporting.method === 'revalued' && state.day !== null && state.day < day",
    replacement: 'false',
    caughtBy: [anew, 'revalues levels on each day'],
  },
  {
    name: 'yen that stand between dollars by their number',
    file: 'src/server/store/lists/subscription-order.ts',
    text: 's.reporting_mrr_cents',
    replacement: 's.current_mrr_cents',
    caughtBy: ['src/server/store/lists/lists-at-size.test.ts', 'currentMrr'],
  },
  {
    name: 'months that are over at the rates of today',
    file: 'src/domain/reporting/revalued.ts',
    text: 'const end = upTo(period.to.slice(0, 7), period.to)',
    replacement: "const end = upTo(period.to.slice(0, 7), periods.at(-1)?.to ?? '')",
    caughtBy: [revalued, 'start, movements and exchange rates are the end'],
  },
  {
    name: 'parts of a revalued total that are rounded each',
    file: 'src/domain/reporting/revalued.ts',
    text: 'const cents = next - worth',
    replacement: 'const cents = worthOf(part.ownCents, currency, day) ?? 0',
    caughtBy: [revalued, 'start, movements and exchange rates are the end'],
  },
  {
    name: 'a revalued total that adds up rounded rows',
    file: 'src/server/api/figures/current-mrr.ts',
    text: 'rows: worthOf === null ? rows :',
    replacement: 'rows: worthOf === null || worthOf !== null ? rows :',
    caughtBy: [revaluedFigures, 'every total is the same amount'],
  },
  {
    name: 'exchange rates that an organization with one currency is told of',
    file: 'src/server/store/reporting/values.ts',
    text: ' || currencies.length === 0',
    replacement: '',
    caughtBy: [revaluedFigures, 'is nothing to an organization with dollars alone'],
  },
  {
    name: 'retention that takes exchange rates for losses',
    file: 'src/server/api/figures/retention.ts',
    text: 'lostIn(months), span, atStart(span))',
    replacement: 'lostIn(months), span)',
    caughtBy: [revaluedFigures, 'retention is at the rates of its start alone'],
  },
  {
    name: 'events that are in the totals and beside them',
    file: 'src/server/api/figures/converted.ts',
    text: 'change: row.unconvertedCents, events: row.unconvertedEvents',
    replacement: 'change: row.ownCents, events: row.events',
    caughtBy: [
      'src/server/api/figures/rate-that-ends.test.ts',
      'has each event in the totals or beside them',
    ],
  },
  {
    name: 'customers to match at the rates of their rows',
    file: 'src/server/api/figures/attention.ts',
    text: "if (reporting.method !== 'revalued' || count > atRatesMax) return",
    replacement: 'if (count >= 0) return',
    caughtBy: [revaluedFigures, 'the customers to match have the MRR of the total'],
  },
  {
    name: 'a snapshot without the rates of its day',
    file: 'src/server/work/ledger/derive-snapshots.ts',
    text: 'await revalueSnapshots(tenant, revalued)',
    replacement: '',
    caughtBy: [revaluedFigures, 'a snapshot is the end of the month before'],
  },
  {
    name: 'two people whose settings of totals both stand, the last one unseen',
    file: 'src/server/api/setup/reporting.ts',
    text: 'if (seen !== undefined) refuseUnlessSeen',
    replacement: 'if (seen === null) refuseUnlessSeen',
    caughtBy: ['src/server/api/setup/reporting.test.ts', 'of two people who save at once'],
  },
  {
    name: 'a file of rates that keeps back all others',
    file: 'src/server/work/ledger/read-reference-rates.ts',
    text: "log.warn({ error, name }, 'a file of exchange rates could not be read')",
    replacement: 'throw error',
    caughtBy: [
      'src/server/work/ledger/read-reference-rates.test.ts',
      'are all files of a folder, each hour, and one that cannot be used keeps back no other',
    ],
  },
  {
    name: 'rates that no amount follows after a failure',
    file: 'src/server/work/ledger/read-reference-rates.ts',
    text: 'if (await hasNewRates(deps.database)) await letAmountsFollow(deps)\n  if (isRead) await noteReading(deps.database, at)',
    replacement:
      'if (isRead) await noteReading(deps.database, at)\n  if (await hasNewRates(deps.database)) await letAmountsFollow(deps)',
    caughtBy: [
      'src/server/work/ledger/read-reference-rates.test.ts',
      'let other currencies follow if something fails after they were kept',
    ],
  },
  {
    name: 'an older file of rates that overwrites a newer one',
    file: 'src/server/providers/ecb/create-ecb-rates.ts',
    text: 'one.at - other.at',
    replacement: 'other.at - one.at',
    caughtBy: [
      'src/server/work/ledger/read-reference-rates.test.ts',
      'are those of the newest file where files of a folder disagree',
    ],
  },
  {
    name: 'a press that counts everything anew without a question',
    file: 'src/web/screens/account/reporting/reporting-card.tsx',
    text: "onChange={(value) => ask({ method: value === 'revalued' ? 'revalued' : 'booked' })}",
    replacement: "onChange={() => save.mutate({ reportingCurrency, method: 'revalued', source })}",
    caughtBy: [card, 'amounts are revalued when a person chooses so'],
  },
  {
    name: 'rates to the company currency that an account had in between',
    file: 'src/server/store/reporting/rates.ts',
    text: ' && day !== again) return []',
    replacement: ') return []',
    caughtBy: [crmRates, 'are those to the company currency again'],
  },
]
