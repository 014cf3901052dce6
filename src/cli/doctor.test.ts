import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tributary } from '#test/cli/run-command.ts'
import { type Installation, stageInstallation } from '#test/cli/stage-installation.ts'
import { newEmptyDatabase, run } from '#test/database.ts'
import { twoHoursAhead } from '#test/wrong-clock.ts'
import { freePort } from '../../tools/postgres.ts'
import { examine } from './doctor/examine.ts'

let installation: Installation
beforeAll(async () => {
  installation = await stageInstallation()
})
afterAll(() => installation?.close())

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const settings = (more?: Record<string, string>) => installation.settings(more)

/** The rows that are not in order. */
async function faults(more: Record<string, string> = {}): Promise<string[]> {
  const symptoms = await examine(settings(more), false)
  return symptoms
    .filter(({ state }) => state !== 'ok')
    .map(({ part, state, text }) => `${part} ${state}: ${text}`)
}

describe('tributary doctor', () => {
  it('finds nothing wrong with an installation in order, in one table without secrets', async () => {
    const { code, out, error } = await tributary(['doctor'], settings())
    expect([code, error]).toEqual([0, ''])
    const rows = out.trim().split('\n')
    expect(rows[0]).toMatch(/^\| part +\| state +\| finding \|$/)
    expect(rows.slice(2).filter((row) => !/^\| [\w ]+\| ok +\| .+ \|$/.test(row))).toEqual([])
    const parts = new Set(rows.slice(2).map((row) => row.split('|')[1]?.trim()))
    expect([...parts]).toEqual([
      'versions',
      'settings',
      'database',
      'clock',
      'mail',
      'identity provider',
      'exchange rates',
      'traces',
      'redirect address',
      'Stripe permissions',
      'HubSpot scopes',
      'HubSpot limits',
    ])
    for (const hidden of installation.secrets) expect(hidden.length > 6 && out.includes(hidden)).toBe(false)
  })

  it('ends with exit code 1 for a wrong setting, which it names', async () => {
    const { code, out } = await tributary(['doctor'], settings({ PORT: 'many' }))
    expect(code).toBe(1)
    expect(out).toContain('PORT: must be a whole number')
  })

  it("sees this machine's clock two hours ahead of the database's and of nobody else's", async () => {
    const { code, out } = await tributary(['doctor'], settings(twoHoursAhead))
    expect(code).toBe(1)
    const wrong = out.split('\n').filter((line) => / wrong /.test(line))
    expect(wrong.join('\n')).toMatch(/this machine's clock is 7200 s ahead of the database's: set it/)
  })

  it.each([
    [7_200, 'wrong', 'ahead of'],
    [-7_200, 'wrong', 'behind'],
    [10, 'warning', 'ahead of'],
  ])('sees the clock of the database %i s off from the provider: %s', async (seconds, state, words) => {
    const server = createServer((_, answer) => {
      // A refusal that nobody repeats: only its date is looked at.
      answer.statusCode = 404
      answer.setHeader('date', new Date(Date.now() - seconds * 1_000).toUTCString())
      answer.end('{}')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
    const url = `http://127.0.0.1:${portOf(server)}`
    try {
      const found = (await faults({ HUBSPOT_API_URL: url })).filter((row) => row.startsWith('clock'))
      expect(found).toHaveLength(1)
      expect(found[0]).toMatch(`clock ${state}: the database's clock is `)
      expect(found[0]).toContain(`${words} HubSpot's (127.0.0.1:${portOf(server)}): set it`)
    } finally {
      server.close()
    }
  })

  it.each<[string, Record<string, string>, string]>([
    [
      'a mail server that refuses the password',
      { SMTP_URL: 'refused' },
      'mail wrong: the mail server does not let Tributary in (535): correct SMTP_URL',
    ],
    [
      'a mail server that is away',
      { SMTP_URL: 'smtp://(away)' },
      'mail wrong: the mail server does not let Tributary in (ESOCKET): correct SMTP_URL',
    ],
    [
      'an identity provider that is away',
      { OIDC_ISSUER: 'http://(away)' },
      'identity provider wrong: (away) does not answer: correct OIDC_ISSUER, or look at DNS, firewall and proxy',
    ],
    [
      'an issuer with no document',
      { OIDC_ISSUER: 'none' },
      'identity provider wrong: (issuer) has no discovery document for this issuer (status 404): correct OIDC_ISSUER',
    ],
    [
      'another spelling of the issuer',
      { OIDC_ISSUER: 'localhost' },
      'identity provider wrong: (other) names the issuer http://(issuer): set OIDC_ISSUER to it',
    ],
    [
      'a provider that is away',
      { STRIPE_API_URL: 'http://(away)' },
      'clock wrong: Stripe cannot be reached at (away) (ECONNREFUSED): look at DNS, firewall and proxy',
    ],
    [
      'a redirect address on plain http',
      { HUBSPOT_CLIENT_ID: 'c', HUBSPOT_CLIENT_SECRET: 's', PUBLIC_URL: 'http://harbour.example' },
      'redirect address wrong: HubSpot takes http only on localhost. Set PUBLIC_URL to an address that begins with https://.',
    ],
    [
      'a redirect address with an IP',
      { HUBSPOT_CLIENT_ID: 'c', HUBSPOT_CLIENT_SECRET: 's', PUBLIC_URL: 'https://192.0.2.1' },
      'redirect address warning: HubSpot is reported to refuse redirect addresses with an IP. Set PUBLIC_URL to an address with a host name.',
    ],
    [
      'passwords on plain http',
      { PUBLIC_URL: 'http://harbour.example' },
      'settings warning: PUBLIC_URL begins with http://, so passwords travel unencrypted: set one that begins with https://',
    ],
    [
      'a lost key of the stored secrets',
      { SEAL_KEYS: `2:${Buffer.alloc(32, 8).toString('base64')}` },
      'settings wrong: SEAL_KEYS lacks the key of version 1 (2 stored). Put it back, and take it out only when `tributary rotate-keys --check` no longer names it.',
    ],
    [
      'a database that is away',
      { DATABASE_URL: 'postgres://owner:secret@(away)/x' },
      'database wrong: DATABASE_URL: nothing answers at (away); start PostgreSQL there, or correct host and port',
    ],
    [
      'rates that cannot be read',
      { ECB_RATES: '/nope' },
      'exchange rates wrong: ECB_RATES cannot be read (ENOENT): correct ECB_RATES, or give this user the right to it',
    ],
    [
      'rates in a file that has none',
      { ECB_RATES: import.meta.filename },
      "exchange rates wrong: ECB_RATES cannot be read (The first cell has to be 'Date', as in eurofxref-hist.csv of the European Central Bank): correct ECB_RATES, or give this user the right to it",
    ],
    [
      'rates in a folder without files',
      { ECB_RATES: import.meta.dirname },
      'exchange rates wrong: ECB_RATES is a folder without .csv and .zip files: put one in, or correct it',
    ],
    [
      'rates of an address that is away',
      { ECB_RATES: 'http://(away)/rates.zip' },
      'exchange rates wrong: ECB_RATES cannot be read (ECONNREFUSED): correct ECB_RATES, or look at DNS, firewall and proxy',
    ],
    [
      'a collector of traces that is away',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://(away)' },
      'traces wrong: the collector at (away) does not answer (ECONNREFUSED), so they are lost: correct OTEL_EXPORTER_OTLP_ENDPOINT, or look at DNS, firewall and proxy',
    ],
    [
      'a collector of traces at an address that takes none',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'none' },
      'traces wrong: the collector at (issuer) refuses them (status 404): correct OTEL_EXPORTER_OTLP_ENDPOINT',
    ],
  ])('sees %s', async (_, more, told) => {
    const { host, port } = new URL(installation.provider.issuer)
    const away = `127.0.0.1:${await freePort()}`
    const replaced: Record<string, string> = {
      refused: installation.smtpUrl('wrong'),
      none: `${installation.provider.issuer}/none`,
      localhost: `http://localhost:${port}`,
    }
    const given = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, replaced[value] ?? value.replace('(away)', away)]),
    )
    expect(await faults(given)).toContain(
      told.replace('(issuer)', host).replace('(other)', `localhost:${port}`).replaceAll('(away)', away),
    )
  })

  it('sees a database without tables, and says what to run', async () => {
    const empty = await newEmptyDatabase()
    try {
      const found = await faults({ DATABASE_URL: empty.databaseUrl })
      expect(found).toContain(
        'database wrong: the role of the application is missing: run `tributary migrate`',
      )
      expect(found.join()).toMatch(/database wrong: it lacks 0001_schema\.sql, .*: run `tributary migrate`/)
    } finally {
      await empty.close()
    }
  })

  it('sees a database of a newer version', async () => {
    await run(installation.db.ownerUrl, `insert into migrations (name) values ('9999_later.sql')`)
    expect(await faults()).toContain(
      'database wrong: a newer version of Tributary owns it (9999_later.sql): start that version',
    )
    await run(installation.db.ownerUrl, `delete from migrations where name = '9999_later.sql'`)
  })

  it('sees permissions that a key of Stripe lacks, and a key that is refused', async () => {
    await installation.connectStripe('rk_test_one_without_coupons_and_invoices')
    expect(await faults()).toEqual([
      'Stripe permissions wrong: organization 1: the key lacks Invoices, Coupons: add them to the key in Stripe',
    ])
    await installation.connectStripe('rk_test_one_without_events')
    expect(await faults()).toEqual([
      'Stripe permissions warning: organization 1: the key lacks Events, which an import can use',
    ])
    await installation.connectStripe('sk_test_revoked')
    expect((await faults()).join()).toMatch(/^Stripe permissions wrong: organization 1: Stripe /)
    await installation.connectStripe()
  })

  it('sees scopes that a key of HubSpot lacks, and a key that is refused', async () => {
    await installation.connectHubspot({ scopes: ['crm.objects.companies.read', 'crm.objects.contacts.read'] })
    expect((await faults()).join()).toMatch(
      /HubSpot scopes wrong: organization 1: .*missing: add them to the key under Development/,
    )
    await installation.connectHubspot({ key: 'pat-na1-00000000-0000-0000-0000-000000000000' })
    expect((await faults()).join()).toContain(
      'HubSpot scopes wrong: organization 1: HubSpot no longer accepts',
    )
    await installation.connectHubspot()
  })

  it('sees secrets that cannot be opened, and goes on', async () => {
    const damage = (provider: string) =>
      run(
        installation.db.ownerUrl,
        `update connections set sealed_secret = 's1.1.damaged' where provider = '${provider}'`,
      )
    for (const [provider, part] of [
      ['payments', 'Stripe permissions'],
      ['crm', 'HubSpot scopes'],
    ] as const) {
      await damage(provider)
      expect(await faults()).toEqual([
        'settings wrong: SEAL_KEYS does not open 1 of 2 stored secrets',
        expect.stringMatching(`^${part} wrong: organization 1: The stored .* can no longer be read`),
      ])
      await installation.connectStripe()
      await installation.connectHubspot()
    }
  })

  it('sees another key under the version of the one that encrypted what is stored', async () => {
    const another = `1:${Buffer.alloc(32, 9).toString('base64')}`
    expect(await faults({ SEAL_KEYS: another })).toEqual([
      'settings wrong: SEAL_KEYS has another key of version 1 than the one that encrypted what is stored. Put that one back.',
    ])
  })

  it('sees an account that is full', async () => {
    await installation.changePortal({ limits: { customRecords: 0 } })
    expect((await faults()).join()).toContain(
      'HubSpot limits wrong: organization 1: The account uses 0 of its 0',
    )
    await installation.changePortal({ limits: { customRecords: null } })
  })

  it('asks nobody after a restore, and says so', async () => {
    await run(installation.db.ownerUrl, 'insert into outbound_hold default values')
    const found = await faults({ STRIPE_API_URL: 'http://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9' })
    expect(found).toEqual([expect.stringMatching(/^calls warning: off, by a restore/)])
    await run(installation.db.ownerUrl, 'delete from outbound_hold')
  })
})
