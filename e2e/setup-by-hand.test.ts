import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer, keyScopes, makeServiceKey, portalId } from './hubspot-admin.ts'
import { connectHubspot, expectToast } from './person.ts'
import { becomeOwner, send } from './prepare.ts'
import { button, expectTexts } from './screens/look.ts'
import { atStep, personOf } from './wizard.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
let page: Page
let errors: string[]
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=6'] })
  ;({ page, errors } = await world.newPerson())
  await becomeOwner(page, personOf('byhand'), 'By Hand')
  await administer(world, 'settings', { hubId: portalId, schemaRefusals: { app: 'approval' } })
})
afterAll(() => world?.close())

type Plan = {
  name: string
  singular: string
  plural: string
  primaryDisplay: string
  secondaryDisplay: string[]
  searchable: string[]
  associations: string[]
  properties: { name: string; label: string; type: string; isUnique: boolean; options: object[] }[]
}
const types: Record<string, { type: string; fieldType: string }> = {
  'Single-line text': { type: 'string', fieldType: 'text' },
  'Multi-line text': { type: 'string', fieldType: 'textarea' },
  Number: { type: 'number', fieldType: 'number' },
  'Date picker': { type: 'date', fieldType: 'date' },
  'Date and time picker': { type: 'datetime', fieldType: 'date' },
  'Dropdown select': { type: 'enumeration', fieldType: 'select' },
}

/** Follows the printed instructions to the letter, but for what `change` says. */
async function createByHand(object: Plan, change: Record<string, object | null> = {}): Promise<string> {
  const ids: Record<string, string> = { Contacts: '0-1', Companies: '0-2', ...made }
  const properties = object.properties.flatMap(({ name, label, type, isUnique, options }) => {
    const other = change[name]
    if (other === null) return []
    return [{ name, label, ...types[type], hasUniqueValue: isUnique, options, ...other }]
  })
  const { objectTypeId } = await administer(world, 'define-object', {
    hubId: portalId,
    name: object.name,
    labels: { singular: object.singular, plural: object.plural },
    primaryDisplayProperty: object.primaryDisplay,
    secondaryDisplayProperties: object.secondaryDisplay,
    searchableProperties: object.searchable,
    associatedObjects: object.associations.map((label) => ids[label] ?? label),
    properties,
  })
  made[object.plural] = String(objectTypeId)
  return String(objectTypeId)
}
const made: Record<string, string> = {}
const plans = async () => (await send(page, 'GET', '/api/hubspot/objects/plan'))['objects'] as Plan[]
const result = () => page.getByRole('region', { name: 'What is in HubSpot' })
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const checkAgain = () => button(page, 'Check again').click()

describe('where HubSpot lets the app create no objects', () => {
  it('says so with the reason, and offers three ways', async () => {
    await page.goto('/setup/hubspot')
    await connectHubspot(page)
    const notice = page.getByRole('alert').filter({ hasText: 'nothing can be written yet' })
    await expectTexts(notice, /the app is not approved for it/)
    for (const name of ['Retry', 'Use a service key once']) await button(notice, name).waitFor()
    await button(notice, 'Retry').click()
    await expectToast(page, 'Custom objects could not be created', /lets only some apps create them/)
  })

  it('a key without the scopes for schemas is named, and a good one is used once', async () => {
    await page.goto('/setup/objects')
    await button(page, 'Use a service key once').click()
    await expectTexts(page, 'The key is used once, for creating the objects, and is not stored.')
    const weak = await makeServiceKey(
      world,
      keyScopes.filter((scope) => !scope.includes('schemas.custom')),
    )
    await page.getByLabel('HubSpot service key', { exact: true }).fill(weak)
    await button(page, 'Create with this key').click()
    await expectTexts(page, /lacks 2 scopes crm\.schemas\.custom\.read, crm\.schemas\.custom\.write/)
    expect(await send(page, 'GET', '/api/connection-status')).toMatchObject({ hubspot: { maskedKey: null } })
  })

  it('tells exactly what to create by hand, and finds nothing yet', async () => {
    await page.getByRole('link', { name: 'Create by hand' }).click()
    await page.waitForURL('**/hubspot-objects')
    await heading('Create the HubSpot objects by hand').waitFor()
    for (const { plural, name, properties } of await plans()) {
      const table = page.getByRole('table', { name: `Properties of ${plural}` })
      await expect.poll(() => table.getByRole('row').count()).toBe(properties.length + 1)
      await expectTexts(result(), `There is no object named ${name} yet.`)
    }
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
    expect(await button(page, 'Check again').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
  })

  it('names each mistake of the objects, and does not let them be used', async () => {
    const [subscriptions, events] = await plans()
    if (!subscriptions || !events) throw new Error('there is no plan')
    await createByHand(subscriptions, {
      stripe_subscription_id: { hasUniqueValue: false },
      mrr: { type: 'string', fieldType: 'text' },
      status: { options: [{ label: 'Active', value: 'Active' }] },
      quantity: null,
    })
    await createByHand(events)
    await administer(world, 'archive-property', {
      hubId: portalId,
      type: made[events.plural],
      name: 'stripe_invoice_url',
    })
    await checkAgain()
    for (const text of [
      /stripe_subscription_id allows the same value twice/,
      /mrr has the type string, but has to be Number/,
      /status lacks the options with the internal values active, .* It has others instead: Active/,
      /quantity is missing\. Create it as Number/,
      /stripe_invoice_url is archived\. Restore it/,
    ])
      await result().getByRole('listitem').filter({ hasText: text }).waitFor()
    await expect.poll(() => button(page, 'Use these objects').isDisabled()).toBe(true)
    await heading('Complete the HubSpot objects').waitFor()
  })

  it('takes objects that fit once a person has confirmed them by name, and adds what they lack', async () => {
    const [subscriptions, events] = await plans()
    if (!subscriptions || !events) throw new Error('there is no plan')
    for (const plural of [events.plural, subscriptions.plural])
      for (const forGood of [false, true])
        await administer(world, 'delete-object', { hubId: portalId, type: made[plural], forGood })
    const typeIds = [await createByHand(subscriptions, { quantity: null }), await createByHand(events)]
    await checkAgain()
    await expectTexts(result(), 'Tributary did not create these objects')
    await button(result(), 'Use these objects').click()
    const dialog = page.getByRole('dialog', { name: 'Use these objects' })
    for (const [at, { name }] of [subscriptions, events].entries())
      await dialog.getByText(`${name} (${typeIds[at]})`).waitFor()
    await button(dialog, 'Use these objects').click()
    await expectToast(page, 'Custom objects are ready', '')
    await expectTexts(result(), 'Both objects exist in HubSpot and can be used')
    await heading('Your HubSpot objects').waitFor()
    await page.getByRole('link', { name: 'Back to the Setup Wizard' }).click()
    await page.waitForURL('**/setup/**')
    await page.goto('/setup/objects')
    await button(page, 'Continue').click()
    await atStep(page, 'import')
  })

  it('has HubSpot show amounts in their own currency, once it is confirmed that nobody can undo this', async () => {
    await page.goto('/hubspot-objects')
    // The instructions are for what is still to be done.
    await button(page, 'Show the instructions').waitFor()
    expect(await page.getByRole('table', { name: /^Properties of / }).count()).toBe(0)
    await button(page, 'Show the instructions').click()
    await page
      .getByRole('table', { name: /^Properties of / })
      .first()
      .waitFor()
    const card = page.getByRole('region', { name: 'Amounts in their own currency' })
    await expectTexts(card, 'Optional', /mrr_change is a plain number/, /HubSpot cannot undo this/)
    await button(card, 'Show amounts in their currency').click()
    const dialog = page.getByRole('dialog', { name: 'Show amounts in their currency' })
    await expectTexts(dialog, new RegExp(`In HubSpot account ${portalId}, .* these amounts \\(4\\)`))
    await button(dialog, 'Cancel').click()
    await dialog.waitFor({ state: 'hidden' })
    await expectTexts(card, 'Optional')
    await button(card, 'Show amounts in their currency').click()
    await button(dialog, 'Show them for good').click()
    await expectToast(page, 'HubSpot shows amounts in their own currency', '')
    await expectTexts(card, 'Done', /mrr_change shows its currency/)
    await expect.poll(() => button(card, 'Show amounts in their currency').count()).toBe(0)
    // The browser notes the refused key by itself.
    expect(errors.filter((error) => !/status of 422/.test(error))).toEqual([])
  })
})
