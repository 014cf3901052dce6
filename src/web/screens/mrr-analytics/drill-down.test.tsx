import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCustomers } from '#contract/customers/customers.ts'
import { sumTransactions } from '#contract/events.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'
import { formatMoney } from '../../components/figures/format-money.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(40) })
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
})
afterAll(() => world.close())

/** Each linked figure of money on the screen, with the sum of the list that it opens. */
async function figuresAndSums(): Promise<[title: string, figure: string, sum: string][]> {
  const links = screen
    .getAllByTitle(/^Events: /)
    .map((link) => ({
      title: link.title,
      figure: (link.textContent ?? '').replace('+', ''),
      href: link.getAttribute('href') ?? '',
    }))
    .filter(({ figure }) => figure.includes('$'))
  // One after the other: sixty at once are more than the server takes from one organization on a busy machine.
  const found: [string, string, string][] = []
  for (const { title, figure, href } of links) {
    const answer = await person.fetch(href.replace('/events', '/api/stripe/transaction-sums'))
    const { net } = sumTransactions.response.parse(await answer.json())
    found.push([title, figure, formatMoney(net.change, 'usd')])
  }
  return found
}

test.each([
  '?by=product',
  '?from=2026-02-10&to=2026-08-20&by=size&cohorts=mrr',
  '?to=2026-06-15&by=plan&interval=quarter&cohorts=mrr',
])('every figure is the sum of the events that it opens: %s', async (query) => {
  openApp(world, person, `/mrr-analytics${query}`)
  for (const table of ['MRR movements', 'Segments', 'Cohorts']) await rowsOf(table, (rows) => rows.length > 1)
  await screen.findByRole('region', { name: 'Retention of 1 month' })
  const found = await figuresAndSums()
  expect(found.length).toBeGreaterThan(60)
  expect(found.filter(([, figure, sum]) => figure !== sum)).toEqual([])
})

test('every number of customers is that of the list that it opens', async () => {
  openApp(world, person, '/mrr-analytics?from=2026-03-01&cohorts=customers')
  await rowsOf('Cohorts', (rows) => rows.some((cells) => cells.some((text) => /^[1-9]\d*$/.test(text))))
  const counts: [string, number, number][] = []
  for (const link of screen.getAllByTitle(/^Customers: /)) {
    const path = (link.getAttribute('href') ?? '').replace('/customers', '/api/customers')
    const { totalCount } = listCustomers.response.parse(await (await person.fetch(path)).json())
    counts.push([(link as HTMLElement).title, Number(link.textContent), totalCount])
  }
  expect(counts.length).toBeGreaterThan(20)
  expect(counts.filter(([, count, listed]) => count !== listed)).toEqual([])
})
