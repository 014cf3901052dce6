import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { CustomerEntry } from '#contract/customers/customers.ts'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { customerCard } from './customer-card.tsx'

afterEach(cleanup)

const birch: CustomerEntry = {
  customerId: 'cus_1',
  customerName: 'Birch Press',
  customerEmail: null,
  companyName: null,
  hubspotCompanyLink: null,
  matchState: null,
  currentMrr: 0,
  reportingCurrency: 'usd',
  otherCurrencies: [],
  uncountedSubscriptions: 0,
  subscriptionCount: 1,
  productNames: [],
  productCount: 0,
  firstPaidAt: null,
  isDeleted: false,
  erasureId: null,
}

test.each([
  ['Birch Press', 'https://crm.example/1', 'linked', ''],
  ['Birch Group', 'https://crm.example/1', 'linked', 'Birch Group'],
  [null, 'https://crm.example/1', 'linked', 'Unknown Company'],
  [null, null, 'pending', 'Not matched'],
  [null, null, 'ignored', 'Ignored'],
] as const)('under the name, the company %j with the link %j, %s, reads %j', (...given) => {
  const [companyName, hubspotCompanyLink, matchState, text] = given
  const { badge } = customerCard({ ...birch, companyName, hubspotCompanyLink, matchState })
  render(
    <MantineProvider>
      <div data-testid="badge">{badge}</div>
    </MantineProvider>,
  )
  expect(screen.getByTestId('badge').textContent).toBe(text)
})
