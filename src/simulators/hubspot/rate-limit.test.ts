import { expect, it } from 'vitest'
import { connect } from './test-client.ts'

const list = '/crm/objects/2026-09/contacts?limit=1'

it('refuses the 111th request of ten seconds and lets go when the window moves on', async () => {
  const app = await connect({ rateLimit: { per10s: 110, searchPerSecond: 5 } })
  const first = await app.call('GET', list)
  expect(first.headers.get('X-HubSpot-RateLimit-Max')).toBe('110')
  expect(first.headers.get('X-HubSpot-RateLimit-Remaining')).toBe('109')
  for (let sent = 1; sent < 110; sent++) await app.call('GET', list)
  const refused = await app.call('GET', list)
  expect(refused.status).toBe(429)
  expect(refused.body).toMatchObject({
    policyName: 'TEN_SECONDLY_ROLLING',
    errorType: 'RATE_LIMIT',
    message: 'You have reached your ten_secondly_rolling limit.',
  })
  expect(refused.headers.get('X-HubSpot-RateLimit-Remaining')).toBe('0')
  app.clock.now += 10_000
  expect((await app.call('GET', list)).status).toBe(200)
})

it('counts search apart, by the second and without headers', async () => {
  const app = await connect({ rateLimit: { per10s: 1, searchPerSecond: 5 } })
  const search = () => app.call('POST', '/crm/objects/2026-09/contacts/search', {})
  for (let sent = 0; sent < 5; sent++) expect((await search()).status).toBe(200)
  const refused = await search()
  expect([refused.status, refused.body.policyName]).toEqual([429, 'SECONDLY'])
  expect(refused.headers.get('X-HubSpot-RateLimit-Max')).toBeNull()
  expect((await app.call('GET', list)).status).toBe(200)
  app.clock.now += 1_000
  expect((await search()).status).toBe(200)
})
