import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { hubspotScopes } from '#server/providers/hubspot/app/scopes.ts'
import { commandsOnPage, headings, scopesOnPage, settingsOf } from './going-live.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const database = { DATABASE_URL: 'postgres://owner:secret@localhost/tributary' }
/** What a person fills in where the page has only dots. */
const filledIn = (settings: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value.replace('…', name === 'SEAL_KEYS' ? key : 'filled-in'),
    ]),
  )
const basic = filledIn(settingsOf('2. Write the settings'))

describe('the page on going live', () => {
  it('names all that live mode needs, for a service key', () => {
    const { hubspot, stripe } = readConfig({ ...database, ...basic })
    expect(hubspot).toMatchObject({ clientId: null, isSimulated: false, apiUrl: 'https://api.hubapi.com' })
    expect(stripe).toMatchObject({ isSimulated: false, apiUrl: 'https://api.stripe.com' })
    for (const name of Object.keys(basic))
      expect(() => readConfig({ ...database, ...basic, [name]: undefined }), name).toThrow(/must be|Invalid/)
  })

  it.each([
    ['5. HubSpot', 'an app', 'HUBSPOT_CLIENT_ID'],
    ['4. PostgreSQL', 'an own database', 'DATABASE_URL'],
    ['Sign-in by your identity provider', 'an identity provider', 'OIDC_ISSUER'],
  ])('names under %s the settings of %s', (heading, _, name) => {
    const more = filledIn(settingsOf(heading))
    expect(Object.keys(more)).toContain(name)
    expect(() => readConfig({ ...database, ...basic, ...more })).not.toThrow()
  })

  it('has every scope as the app asks for it, in the same words', () => {
    expect(scopesOnPage).toEqual(
      hubspotScopes.map(({ name, isOptional, use }) => ({ name, isOptional, use })),
    )
  })

  it('names only commands that exist', () => {
    const commands = readFileSync('src/cli/tributary.ts', 'utf8')
    expect(commandsOnPage.length).toBeGreaterThan(1)
    expect(
      commandsOnPage.filter((name) => !new RegExp(`^  async '?${name}'?\\(`, 'm').test(commands)),
    ).toEqual([])
  })

  it('says how to check and how to go back', () => {
    expect(headings).toEqual(
      expect.arrayContaining(['How long the first import takes', 'How to check', 'How to go back']),
    )
  })
})

describe('.env.example', () => {
  const example = parseEnv(readFileSync('.env.example', 'utf8'))

  it('is a live installation once the empty lines of one way are filled in', () => {
    expect(example).toMatchObject({ PROVIDERS: basic['PROVIDERS'], PUBLIC_URL: basic['PUBLIC_URL'] })
    const { SEAL_KEYS, SMTP_URL } = basic
    const config = readConfig({ ...example, ...database, SEAL_KEYS, SMTP_URL })
    expect(config).toMatchObject({ mailFrom: basic['MAIL_FROM'], hubspot: { isSimulated: false } })
  })

  it('has a right value wherever a setting is only commented out', () => {
    const lines = readFileSync('.env.example', 'utf8').replaceAll(/^# ([A-Z_]+=)/gm, '$1')
    const { SEAL_KEYS, SMTP_URL } = basic
    expect(() => readConfig({ ...parseEnv(lines), ...database, SEAL_KEYS, SMTP_URL })).not.toThrow()
  })
})
