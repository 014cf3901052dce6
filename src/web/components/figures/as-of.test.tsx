// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { AsOf } from './as-of.tsx'

afterEach(cleanup)

const setup = {
  ...{ currentStep: 'hubspot' as const, setupComplete: true, hubspotConnected: true, dataSynced: true },
  hubspotUndecided: false,
  ...{ syncedSubscriptions: 0, syncedTransactions: 0, pendingMatchCount: 0 },
}

test.each([
  { of: 'today', dataImported: true, stripeConnected: true, says: 'As of today' },
  { of: 'today before an import', dataImported: false, stripeConnected: false, says: 'As of today' },
  {
    of: 'the last import where Stripe is disconnected',
    ...{ dataImported: true, stripeConnected: false, says: 'Stripe is not connected: as of the last import' },
  },
])('the current MRR is as of $of', ({ says, ...facts }) => {
  render(
    <MantineProvider>
      <MemoryRouter>
        <AsOf setup={{ ...setup, ...facts }} />
      </MemoryRouter>
    </MantineProvider>,
  )
  expect(screen.getByText(says)).toBeTruthy()
})
