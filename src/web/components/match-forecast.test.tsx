import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { MatchForecast } from './match-forecast.tsx'

afterEach(cleanup)

const forecast = {
  companiesToCreate: 0,
  companiesPaused: null,
  contactsToCreate: 1,
  attachedCustomers: 1_200,
  customersToReview: 2,
}
const shown = (companiesPaused: string | null) => {
  render(
    <MantineProvider>
      <MatchForecast forecast={{ ...forecast, companiesPaused }} isLoading={false} problem={null} />
    </MantineProvider>,
  )
  return screen.getByRole('status').textContent
}

test('tells the numbers, and nothing more where nothing is in the way', () => {
  expect(shown(null)).toBe(
    'What this sync would create0 companies and 1 contact in HubSpot. 1,200 customers belong to companies that are there already. 2 customers would wait for your review.',
  )
})

test('says why no company would be created', () => {
  expect(shown('Companies are not created: make room.')).toMatch(
    /review\. Companies are not created: make room\.$/,
  )
})
