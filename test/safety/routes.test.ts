import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import { createAuth } from '#server/providers/identity/create-auth.ts'
import { identityPath, isServed } from '#server/providers/identity/paths.ts'
import { openTestApp, origin, type TestApp } from '../api/test-app.ts'
import { contractCalls } from './calls.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

/** Routes outside the table of calls, each with its reason. */
const besides: Record<string, string> = {
  'ALL /*': 'what every answer carries, and the refusal of what nothing answers',
  'GET /healthz': 'asked by the machine that runs the process',
  'GET /readyz': 'the same',
  'ALL /api/identity/*': 'hands on what is told below, and refuses the rest',
  'ALL /api/*': 'refuses what no call is',
  'GET /outbox': 'the mails of the simulated mode',
  'GET /*': 'the built web app',
}
const table = contractCalls.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)

describe('the routes that are served', () => {
  it('are the table of calls and what is told beside it, each once', () => {
    const { routes } = test.app
    const ofTable = routes.filter((route) => !(route in besides))
    expect(ofTable.toSorted()).toEqual(table.toSorted())
    expect([...new Set(routes.filter((route) => route in besides))].toSorted()).toEqual(
      Object.keys(besides).toSorted(),
    )
  })

  it('show no mails once anything is real', () => {
    const config = { ...test.deps.config, smtpUrl: 'smtp://mail.example' }
    const { routes } = createApp({ ...test.deps, config })
    expect(routes).not.toContain('GET /outbox')
    expect(routes.length).toBe(test.app.routes.length - 1)
  })
})

describe('the identity library', () => {
  it('answers no call but those that are told of', async () => {
    const { config, database, mail, seal, log, now } = test.deps
    const { api } = createAuth({ config, database, mail, seal, log, now })
    const known = Object.values(api).flatMap(({ path, options }) => {
      const methods = [options.method].flat()
      return path === undefined ? [] : methods.map((method) => ({ method, path }))
    })
    expect(known.length).toBeGreaterThan(25)
    const browser = await test.signedIn('ann@yard.test', 'Yard')
    const answered: string[] = []
    for (const { method, path } of known) {
      const address = path.replaceAll(/:\w+/g, 'some_token')
      if (isServed(method, address)) continue
      const { status } = await browser.send(`${identityPath}${address}`, {
        method,
        headers: { origin, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{}' }),
      })
      if (status !== 404) answered.push(`${method} ${path} ${status}`)
    }
    expect(answered).toEqual([])
  })
})
