import { expect, test } from 'vitest'
import { freshnessFacts } from './freshness-facts.tsx'

const freshness = {
  ...{
    changedAt: '2026-11-29T08:00:00Z',
    ledgerAt: '2026-11-29T08:00:00Z',
    hubspotAt: '2026-11-29T08:00:30Z',
  },
  ...{ promisedSeconds: 315, isLate: false },
}
const inHubspot = (given: typeof freshness | { hubspotAt: null }, isRefused?: boolean) =>
  new Map(freshnessFacts({ ...freshness, ...given }, isRefused)).get('In HubSpot')

test('a record that HubSpot refused does not say how fast it arrived', () => {
  expect(inHubspot(freshness)).toBe('30 seconds later')
  expect(inHubspot({ hubspotAt: null })).toBe('Not yet')
  expect(inHubspot(freshness, true)).toBe('Refused')
})

test('promises nothing of a record that HubSpot refuses', () => {
  expect(new Map(freshnessFacts(freshness)).get('Promised')).toContain('Within')
  expect(new Map(freshnessFacts(freshness, true)).has('Promised')).toBe(false)
})
