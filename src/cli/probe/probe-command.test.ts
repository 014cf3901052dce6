import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningSimulators, startSimulators } from '#simulators/start-simulators.ts'
import { tributary } from '#test/cli/run-command.ts'

const hubId = '24180001'
const stripeKey = 'rk_test_probe_without_coupons'
const nouns = ['companies', 'contacts', 'custom']
const scopes = [
  ...nouns.flatMap((noun) => [`crm.objects.${noun}.read`, `crm.objects.${noun}.write`]),
  'crm.schemas.custom.read',
  'crm.schemas.custom.write',
]

let simulators: RunningSimulators
let hubspotKey = ''
const folder = mkdtempSync(join(tmpdir(), 'tributary-probe-'))
beforeAll(async () => {
  simulators = await startSimulators({ customers: 12, stripePort: 0, hubspotPort: 0, nowMs: Date.now })
  hubspotKey = String((await control('service-key', { hubId, scopes }))['key'])
})
afterAll(async () => {
  await simulators.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function control(call: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${simulators.hubspotUrl}/_control/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, unknown>
}

const probe = (file: string, more: Record<string, string> = {}) =>
  tributary(['probe', file], {
    STRIPE_API_URL: simulators.stripeUrl,
    HUBSPOT_API_URL: simulators.hubspotUrl,
    PROBE_STRIPE_KEY: stripeKey,
    PROBE_HUBSPOT_KEY: hubspotKey,
    ...more,
  })

describe('tributary probe', () => {
  it('prints the table of both providers and writes it into a file that can be sent', async () => {
    await control('settings', { hubId, accountType: 'DEVELOPER_TEST' })
    const file = join(folder, 'report.md')
    const { code, out, error } = await probe(file)
    expect({ code, error }).toEqual({ code: 0, error: '' })
    const written = readFileSync(file, 'utf8')
    expect(out).toContain(written)
    for (const part of [
      /^## Stripe$/m,
      /^## HubSpot$/m,
      /^\| question +\| answer +\| evidence \|$/m,
      /\| not asked +\|/,
    ])
      expect(written).toMatch(part)
    for (const hidden of [stripeKey, hubspotKey, hubId]) expect(out).not.toContain(hidden)
    const { writes } = (await (await fetch(`${simulators.stripeUrl}/_requests`)).json()) as { writes: number }
    expect(writes).toBe(0)
    const again = await probe(file)
    expect(again).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('exists already; name another'),
    })
    expect(readFileSync(file, 'utf8')).toBe(written)
  })

  it('asks Stripe although the HubSpot account is no test account, and says so', async () => {
    await control('settings', { hubId, accountType: 'STANDARD' })
    const file = join(folder, 'half.md')
    const { code, error } = await probe(file)
    expect({ code, error }).toEqual({
      code: 1,
      error:
        'Tributary could not ask HubSpot: The HubSpot account is STANDARD. The probe writes only into a test account.\n',
    })
    expect(readFileSync(file, 'utf8')).not.toContain('## HubSpot')
  })

  it('leaves no file where nothing could be asked, and says why', async () => {
    const file = join(folder, 'none.md')
    const { code, out, error } = await probe(file, {
      STRIPE_API_URL: 'http://127.0.0.1:9',
      PROBE_HUBSPOT_KEY: '',
    })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toMatch(/^Tributary could not ask Stripe: it could not be reached \(\w+\)\n$/)
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })
})
