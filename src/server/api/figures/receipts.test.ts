import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getEventReceipt, getSubscriptionReceipt } from '#contract/mrr.ts'
import type { ReceiptAnswer } from '#contract/receipt.ts'
import { receiptLine } from '#domain/crm-record.ts'
import { minus, over, plus, type Rational, ratio, sumOf, textOf } from '#domain/mrr/exact/rational.ts'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { listEventsToPush, listSubscriptionsToPush } from '../../store/crm/push-sources.ts'
import { inOrganization } from '../../store/postgres/database.ts'

const customers = 60
const rowsMax = 10_000

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(customers) })
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
})
afterAll(() => world.close())

const get = async (path: string, as: Person = person) => {
  const answer = await as.fetch(path)
  return { status: answer.status, text: await answer.text() }
}
const kept = () =>
  inOrganization(world.deps.database, person.organizationId, async (tenant) => ({
    events: await listEventsToPush(tenant, '1', { afterId: '', limit: rowsMax }),
    subscriptions: await listSubscriptionsToPush(tenant, '1', { afterId: '', limit: rowsMax }),
  }))

function exact(text: string): Rational {
  const [top = '', bottom = '1'] = text.split('/')
  return ratio(BigInt(top), BigInt(bottom))
}

/** Adds up a receipt from its parts only. */
function addUp({ parts, rounding }: ReceiptAnswer): string {
  for (const part of parts) {
    const net = minus(minus(exact(part.gross), exact(part.discount)), exact(part.inclusiveTax))
    expect(textOf(net)).toBe(part.net)
    expect(textOf(over(net, exact(part.months)))).toBe(part.monthly)
  }
  const sum = sumOf(parts.map(({ monthly }) => exact(monthly)))
  return textOf(plus(sum, exact(rounding)))
}

describe('the receipts of a whole account', () => {
  it('add up to the MRR of every event, to the cent', async () => {
    const { events } = await kept()
    expect(events.length).toBeGreaterThan(customers)
    const told = { couponNames: 0, kinds: 0, ends: 0, lastBills: 0 }
    for (const event of events) {
      const { status, text } = await get(`/api/mrr/receipts/${encodeURIComponent(event.id)}`)
      expect(status, event.id).toBe(200)
      const answer = getEventReceipt.response.parse(JSON.parse(text))
      expect(answer.currentMrr).toBe(event.currentMrrCents)
      expect(answer.previousMrr + answer.mrrChange).toBe(answer.currentMrr)
      expect(answer.receipt?.mrr).toBe(answer.currentMrr)
      expect(answer.receipt && addUp(answer.receipt), event.id).toBe(String(answer.currentMrr))
      const { parts = [], kind, endsAt, lastBill } = answer.receipt ?? {}
      told.couponNames += parts.flatMap((part) =>
        part.discounts.flatMap((one) => one.couponName ?? []),
      ).length
      if (kind) told.kinds += 1
      if (endsAt) told.ends += 1
      if (lastBill?.invoiceLink && lastBill.periodEnd) told.lastBills += 1
    }
    for (const [what, count] of Object.entries(told)) expect(count, what).toBeGreaterThan(0)
  })

  it('come with that of the event before, which adds up to the MRR that the change started from', async () => {
    const { events } = await kept()
    const answers = []
    for (const { id } of events) {
      const { text } = await get(`/api/mrr/receipts/${encodeURIComponent(id)}`)
      answers.push(getEventReceipt.response.parse(JSON.parse(text)))
    }
    const histories = [...Map.groupBy(answers, ({ subscriptionId }) => subscriptionId).values()]
    for (const history of histories) {
      const firsts = history.filter(({ previousReceipt }) => previousReceipt === null)
      expect(firsts, history[0]?.subscriptionId).toHaveLength(1)
      expect(firsts[0]?.previousMrr).toBe(0)
      for (const { previousReceipt, previousMrr, eventId } of history) {
        if (previousReceipt === null) continue
        expect(previousReceipt.mrr, eventId).toBe(previousMrr)
        const isOfOne = ({ receipt }: (typeof history)[number]) =>
          JSON.stringify(receipt) === JSON.stringify(previousReceipt)
        expect(history.filter(isOfOne).length, eventId).toBeGreaterThan(0)
      }
    }
    expect(histories.some(({ length }) => length > 2)).toBe(true)
  })

  it('add up to the current MRR of every subscription, and name what they are made of', async () => {
    const { subscriptions } = await kept()
    const rules = new Set<string>()
    let linesWithText = 0
    for (const { id, mrrCents } of subscriptions) {
      const { text } = await get(`/api/mrr/receipts/subscriptions/${id}`)
      const { receipt, currentMrr } = getSubscriptionReceipt.response.parse(JSON.parse(text))
      expect([currentMrr, receipt && addUp(receipt)], id).toEqual([mrrCents, String(mrrCents)])
      expect(receipt).toMatchObject({ ruleBookVersion, policyRevision: 0 })
      for (const rule of receipt?.rules ?? []) rules.add(rule)
      for (const part of receipt?.parts ?? []) {
        expect(part.productName).not.toBeNull()
        // Every part comes from an invoice line or from the subscription itself.
        expect(part.lines.length > 0).toBe(part.invoiceId !== null)
        linesWithText += part.lines.filter(({ description, amount }) => description && amount !== null).length
        for (const line of part.lines) expect(line.reason).not.toBe('')
      }
      for (const line of receipt?.ignored ?? [])
        expect(line.reason.length * line.rule.length).toBeGreaterThan(0)
    }
    expect(subscriptions.filter(({ mrrCents }) => mrrCents > 0).length).toBeGreaterThan(20)
    expect(linesWithText).toBeGreaterThan(20)
    expect([...rules]).toEqual(expect.arrayContaining(['R1', 'R4', 'R23', 'R28']))
  })

  it('are the one line that the record in the CRM gets', async () => {
    const { events } = await kept()
    for (const { receipt, currentMrrCents, currency } of events) {
      const line = receiptLine(receipt)
      expect(line).toMatch(/ [A-Z]{3} a month$/)
      expect(line).not.toContain('\n')
      expect(receipt).toMatchObject({ mrrCents: currentMrrCents, currency })
    }
    expect(events.length).toBeGreaterThan(customers)
  })
})

describe('who may read a receipt', () => {
  it('answers an unknown and a foreign one alike', async () => {
    const stranger = await world.person()
    const { events, subscriptions } = await kept()
    for (const [path, own, unknown] of [
      ['/api/mrr/receipts/', events[0]?.id ?? '', 'sub_x:2026-01-01T00:00:00Z:change'],
      ['/api/mrr/receipts/subscriptions/', subscriptions[0]?.id ?? '', 'sub_x'],
    ] as const) {
      expect((await get(path + own)).status).toBe(200)
      const foreign = await get(path + own, stranger)
      expect(foreign).toEqual(await get(path + unknown, stranger))
      expect(foreign.status).toBe(404)
      expect(await get(path + unknown)).toEqual(foreign)
    }
  })

  it('asks who it is, and for an id that can be one', async () => {
    expect((await world.stranger().fetch('/api/mrr/receipts/sub_x')).status).toBe(401)
    expect((await get('/api/mrr/receipts/a%2Fb')).status).toBe(400)
    expect((await get('/api/mrr/receipts/subscriptions/%20')).status).toBe(400)
  })
})
