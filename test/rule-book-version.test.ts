import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { type ReceiptSubject, withEveryLine } from '#domain/mrr/receipts/receipt-lines.ts'
import {
  differencesBetween,
  goldenHash,
  ruleBookReleases,
  ruleBookVersion,
} from '#domain/mrr/receipts/rule-book-version.ts'
import { on, rebuild } from './mrr/examples.ts'
import { sampleAccounts } from './mrr/generated-lives.ts'
import { ruleBook } from './mrr/rule-book/all.ts'

/** Generated accounts in addition to every example of the rule book. */
const generatedCount = 400

/** Events, figures and receipts of all accounts, without the versions in the receipts. */
function goldenLedgers(): string {
  const accounts = [
    ...ruleBook.map(({ account }) => account),
    ...sampleAccounts(generatedCount).map(({ account, policy }) => ({ ...account, policy })),
  ]
  const hash = createHash('sha256')
  for (const account of accounts) {
    const { events, subscriptions, receipts } = rebuild(account)
    const invoices = new Map(account.invoices?.map((invoice) => [invoice.id, invoice]))
    const whole = (receipt: Receipt | undefined, subject: ReceiptSubject) =>
      receipt && withEveryLine(receipt, subject, invoices)
    const told = {
      events: events.map((event) => [
        event,
        whole(receipts.ofEvent(event.id), { at: event.occurredAt, invoiceId: event.invoiceId }),
      ]),
      subscriptions: subscriptions.map((figures) => [
        figures,
        whole(receipts.ofSubscription(figures.subscriptionId), { at: on(account.asOf), invoiceId: null }),
      ]),
    }
    const text = JSON.stringify(told, (key, value: unknown) =>
      key === 'ruleBookVersion' || key === 'policyRevision' ? undefined : value,
    )
    hash.update(text)
  }
  return hash.digest('hex').slice(0, 16)
}

it('a change of any ledger or receipt raises the version of the rule book', () => {
  const message = `The rules make other ledgers or receipts than those of version ${ruleBookVersion}. If the accounts of this
    test are the same as before, raise ruleBookVersion and say in ruleBookReleases what is different; then set goldenHash.`
  expect(goldenLedgers(), message).toBe(goldenHash)
})

it('every version says what it changed, and none is left out', () => {
  expect(ruleBookReleases.map(({ version }) => version)).toEqual(
    Array.from({ length: ruleBookVersion }, (_, index) => index + 1),
  )
  expect(differencesBetween(0, ruleBookVersion)).toEqual(ruleBookReleases.map(({ difference }) => difference))
  expect(differencesBetween(ruleBookVersion, ruleBookVersion)).toEqual([])
})
