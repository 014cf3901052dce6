import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'
import { type OpenId, openOpenId } from './openid.ts'
import { createOrganization, expectToast } from './person.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let openId: OpenId
let world: BrowserWorld
beforeAll(async () => {
  openId = await openOpenId()
  // The product starts while its identity provider is down, and must find it later.
  world = await openWorld({
    simulatorArgs: ['--customers=12'],
    environment: {
      OIDC_ISSUER: openId.issuer,
      OIDC_CLIENT_ID: openId.clientId,
      OIDC_CLIENT_SECRET: openId.clientSecret,
    },
  })
})
afterAll(async () => {
  await world?.close()
  await openId?.close()
})

const button = 'Continue with 127.0.0.1'

async function logIn(page: Page, subject: string, from = '/sign-in'): Promise<void> {
  await consent(page, subject, from)
  await page.waitForURL((url) => url.origin === world.product.address)
}

/** Logs in at the provider, whose development pages accept any name, up to the redirect back. */
async function consent(page: Page, subject: string, from: string): Promise<void> {
  await page.goto(from)
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL((url) => url.origin === openId.issuer)
  await page.locator('input[name="login"]').fill(subject)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('the hosted sign-in', () => {
  it('says that the provider does not answer, and goes on by itself once it does', async () => {
    const { page } = await world.newPerson()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: button }).click()
    await page.getByText('The sign-in at 127.0.0.1 does not answer. Try again shortly.').waitFor()
    openId.begin(`${world.product.address}/api/identity/callback/oidc`)
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: button }).click()
        return page
          .waitForURL((url) => url.origin === openId.issuer, { timeout: 2_000 })
          .then(
            () => 'there',
            () => 'not yet',
          )
      })
      .toBe('there')
  })

  it('makes an account of who comes first, by code flow with PKCE, state and nonce', async () => {
    openId.accounts.set('kim', { email: 'Kim@Harbour.example', isVerified: true, name: 'Kim' })
    const { page } = await world.newPerson()
    await logIn(page, 'kim', '/sign-up')
    await createOrganization(page, 'Harbour')
    const user = await (await page.request.get('/api/auth/current-user')).json()
    expect(user).toMatchObject({ email: 'kim@harbour.example', emailVerified: true, name: 'Kim' })
    const asked = openId.authorizations.at(-1)
    expect(asked?.get('response_type')).toBe('code')
    expect(asked?.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(asked?.get(name)?.length).toBeGreaterThan(30)
  })

  it('signs in again in a window of its own over a page whose session ended, and what was begun is done', async () => {
    const { page } = await world.newPerson()
    await logIn(page, 'kim')
    await page.goto('/account-profile')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kim Renamed')
    await page.context().clearCookies({ domain: new URL(world.product.address).hostname, name: /tributary/ })
    await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click()
    const cover = page.getByRole('dialog', { name: 'Sign in again' })
    await Promise.all([page.waitForEvent('popup'), cover.getByRole('button', { name: button }).click()])
    await expectToast(page, 'Profile saved', '')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
      .toBe('Kim Renamed')
    await expect.poll(() => page.context().pages().length).toBe(1)
  })

  it('keeps none of the tokens that the provider gave', async () => {
    const { issued } = openId
    expect(issued.length).toBeGreaterThanOrEqual(3)
    expect(issued.every((token) => typeof token === 'string' && token.length > 20)).toBe(true)
    const left = [await dumpOf(world.product.superuserUrl), world.log('server')].join('\n')
    expect(left).toContain('kim@harbour.example')
    // The claims alone would reveal as much as the whole token.
    const parts = issued.flatMap((token) => token.split('.')).filter((part) => part.length > 20)
    expect(parts.filter((part) => left.includes(part))).toEqual([])
  })

  it('knows a person by issuer and subject, and follows the address that they have now', async () => {
    openId.accounts.set('kim', { email: 'kim@elsewhere.example', isVerified: true, name: 'Kim' })
    const { page } = await world.newPerson()
    await logIn(page, 'kim')
    await page.waitForURL(/\/(setup|dashboard)?$|\/setup/)
    const user = await (await page.request.get('/api/auth/current-user')).json()
    expect(user).toMatchObject({ email: 'kim@elsewhere.example', organization: { name: 'Harbour' } })
  })

  it('shows the picture that the provider has of a person, and the initial where it cannot be fetched', async () => {
    for (const [name, path] of [
      ['Pia', '/picture.svg'],
      ['Gus', '/no-such-picture.svg'],
    ] as const) {
      const email = `${name.toLowerCase()}@${name.toLowerCase()}-pictured.example`
      openId.accounts.set(name, { email, isVerified: true, name, picture: `${openId.issuer}${path}` })
      const { page } = await world.newPerson()
      await logIn(page, name, '/sign-up')
      await createOrganization(page, `${name} Pictured`)
      const block = page.getByRole('button', { name: `Account of ${name}` })
      const pictures = () =>
        block
          .locator('img')
          .evaluateAll((found) => found.map((one) => (one as HTMLImageElement).naturalWidth))
      await expect.poll(pictures).toEqual(name === 'Pia' ? [40] : [])
      if (name === 'Gus') await block.getByText('G', { exact: true }).waitFor()
    }
  })

  it('opens nobody an account that belongs to another subject with the same address', async () => {
    openId.accounts.set('thief', { email: 'kim@elsewhere.example', isVerified: true, name: 'Thief' })
    const { page } = await world.newPerson()
    await logIn(page, 'thief')
    await page.getByText('There is an account with this email address that belongs to another').waitFor()
    expect((await page.request.get('/api/auth/current-user')).status()).toBe(401)
  })

  it('refuses an address that the provider has not verified', async () => {
    openId.accounts.set('eve', { email: 'eve@harbour.example', isVerified: false, name: 'Eve' })
    const { page } = await world.newPerson()
    await logIn(page, 'eve')
    await page.getByText('Your sign-in provider has not verified your email address.').waitFor()
    expect((await page.request.get('/api/auth/current-user')).status()).toBe(401)
    openId.accounts.set('eve', { email: 'eve@harbour.example', isVerified: true, name: 'Eve' })
    await logIn((await world.newPerson()).page, 'eve')
  })

  it('refuses an ID token that answers another request', async () => {
    openId.tamper = (query) => query.set('nonce', 'a-nonce-of-somebody-else')
    try {
      const { page } = await world.newPerson()
      await logIn(page, 'kim')
      await page.getByText('The sign-in did not succeed. Please sign in again.').waitFor()
      expect((await page.request.get('/api/auth/current-user')).status()).toBe(401)
    } finally {
      openId.tamper = null
    }
  })

  it.each(['code=forged&state=forged', 'code=forged', 'error=access_denied', ''])(
    'opens nothing to a way back with %s',
    async (query) => {
      const { page } = await world.newPerson()
      await page.goto(`/api/identity/callback/oidc?${query}`)
      await page.getByRole('alert').waitFor()
      expect(new URL(page.url()).pathname).toBe('/sign-in')
    },
  )

  it('keeps the way back to the browser that began', async () => {
    const { page: attacker } = await world.newPerson()
    openId.held = []
    await consent(attacker, 'kim', '/sign-in')
    await expect.poll(() => openId.held?.length).toBe(1)
    const way = openId.held[0] ?? ''
    openId.held = null
    const { page: victim } = await world.newPerson()
    await victim.goto(way)
    await victim.getByRole('alert').waitFor()
    expect((await victim.request.get('/api/auth/current-user')).status()).toBe(401)
  })

  it('deletes an organization and an account only for who signed in within ten minutes', async () => {
    openId.accounts.set('lee', { email: 'lee@leaving.example', isVerified: true, name: 'Lee' })
    const { page } = await world.newPerson()
    await logIn(page, 'lee', '/sign-up')
    await createOrganization(page, 'Leaving')
    await query(
      world.product.superuserUrl,
      `update session set "createdAt" = now() - interval '11 minutes'
        where "userId" = (select id from "user" where email = 'lee@leaving.example')`,
    )
    const remove = async (title: string, label: string, typed: string) => {
      await page.getByRole('button', { name: title }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByText('You must have signed in at 127.0.0.1 within the last ten minutes.').waitFor()
      await dialog.getByLabel(label).fill(typed)
      await dialog.getByRole('button', { name: 'Delete for good' }).click()
      return dialog
    }
    await page.goto('/account-profile?tab=organization')
    const refused = await remove('Delete organization', 'Type the name of the organization', 'Leaving')
    await refused.getByText('Sign out and in again, then do this within ten minutes.').waitFor()
    // Signed out both here and at the provider, which would otherwise sign the person in again without asking.
    await page.context().clearCookies()
    await logIn(page, 'lee')
    await page.goto('/account-profile?tab=organization')
    await remove('Delete organization', 'Type the name of the organization', 'Leaving')
    await page.waitForURL(/org-selection/)
    await page.goto('/account-profile')
    await remove('Delete my account', 'Type your email address', 'lee@leaving.example')
    await page.waitForURL(/sign-in/)
    await page.getByText('Your account is deleted.').waitFor()
    const left = await query(world.product.superuserUrl, `select 1 from "user" where name = 'Lee'`)
    expect(left).toEqual([])
  })

  it('leaves no way in by password', async () => {
    const { page } = await world.newPerson()
    await page.goto('/sign-up')
    await page.getByRole('button', { name: button }).waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    const answer = await page.request.post('/api/identity/sign-up/email', {
      headers: { origin: world.product.address },
      data: { name: 'Mal', email: 'mal@harbour.example', password: 'a long enough password' },
    })
    expect(answer.status()).toBe(400)
  })
})
