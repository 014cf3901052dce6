import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOff, switchAllOff, switchOn, withoutNetwork } from '../faults.ts'
import { ask, expectToast } from '../person.ts'
import { openPortal } from '../portal.ts'
import { button, expectTexts, expectTitle, openLook, type ScreenWorld, slowNetwork } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(async () => {
  await switchAllOff(look.hubspotUrl)
  await look.close()
})

it('finds what somebody took apart in HubSpot, and puts it back', async () => {
  const portal = await openPortal(look.hubspotUrl)
  const [event, subscription] = [
    await portal.objectTypeId('tributary_event'),
    await portal.objectTypeId('tributary_subscription'),
  ]
  const records = (await portal.records(event, ['tributary_event_id'])).slice(0, 3)
  const ids = records.map(({ id }) => id)
  const before = await portal.associations(event, subscription, ids)
  await portal.takeApart(event, subscription, before)

  const { page } = await look.demoOwner()
  await page.goto('/diagnostics')
  await expectTitle(page, 'Diagnostics')
  const fix = button(page, 'Fix Transaction-to-Subscription Associations')
  const check = button(page, 'Check Missing Associations')
  await expect
    .poll(() => page.getByRole('tab').allTextContents())
    .toEqual(['Check & Fix Associations', 'Manual Association Testing'])
  await expect.poll(() => fix.isDisabled()).toBe(true)
  await withoutNetwork(page, async () => {
    await check.click()
    await expectToast(page, 'Error', 'Failed to check associations. Check console for details.')
  })
  await check.click()
  await expectToast(page, 'Check Complete', /^.*Found 3 missing associations out of [\d,]+ checked\./)
  for (const label of ['Subscriptions', 'Transactions', 'Associations Checked', 'Missing Associations'])
    await page.getByRole('main').getByRole('region', { name: label, exact: true }).waitFor()
  for (const kind of [
    'Transaction to subscription',
    'Subscription to company',
    'Subscription to contact',
    'Transaction to company',
    'Transaction to contact',
  ])
    await page.getByRole('rowheader', { name: kind, exact: true }).waitFor()
  const raw = page.getByRole('region', { name: 'Missing Transaction-to-Subscription Associations' })
  const items: unknown = JSON.parse((await raw.locator('pre').textContent()) ?? '')
  expect(items).toHaveLength(3)
  expect((await raw.locator('.mantine-ScrollArea-root').boundingBox())?.height).toBeLessThanOrEqual(240)
  await withoutNetwork(page, async () => {
    await fix.click()
    await expectToast(page, 'Error', 'Failed to fix associations. Check console for details.')
  })
  const answered = page.waitForResponse(/\/api\/test\/fix-missing-associations/)
  const atOnce = await slowNetwork(page, 1_500)
  await fix.click()
  await expect.poll(async () => [await fix.isDisabled(), await check.isDisabled()]).toEqual([true, true])
  await expectToast(page, 'Associations Fixed', 'Successfully fixed 3 out of 3 associations.')
  await atOnce()
  expect(await (await answered).json()).toMatchObject({ fixResults: { attempted: 3, successful: 3 } })
  await expectToast(page, 'Check Complete', /Found 0 missing associations/)
  expect(await portal.associations(event, subscription, ids)).toEqual(before)
  await expect.poll(() => fix.isDisabled()).toBe(true)
  await page.goto('/sync-history')
  const history = page.getByRole('table', { name: 'Sync History' })
  await history.getByRole('row').filter({ hasText: 'Data Sync' }).first().getByRole('link').first().click()
  const logs = page
    .getByRole('dialog', { name: 'Sync Details' })
    .locator('section')
    .filter({ hasText: 'Logs' })
  await expectTexts(logs, /association/)
})

it('tests one association by hand, and says what is missing or went wrong', async () => {
  const { page } = await look.demoOwner()
  const mend = await cutOff(page, '*/api/test/get-*')
  await page.goto('/diagnostics')
  await expectToast(
    page,
    'Error fetching samples',
    'Could not load transaction and subscription samples. Check console for details.',
  )
  await mend()
  await page.reload()
  await page.getByRole('tab', { name: 'Manual Association Testing' }).click()
  const test = button(page, 'Test Association')
  const id = page.getByRole('textbox', { name: 'Transaction ID' })
  for (const name of ['Transaction', 'Subscription']) {
    const choices = page.getByLabel(name, { exact: true }).locator('option')
    await expect
      .poll(() => choices.allTextContents())
      .toEqual(['Another ID', expect.stringMatching(/^Sample: ./)])
  }
  await expect.poll(() => test.isEnabled()).toBe(true)
  const atOnce = await slowNetwork(page, 1_000)
  await test.click()
  await expect.poll(() => test.isDisabled()).toBe(true)
  await expectToast(page, 'Success', /./)
  await atOnce()
  await page.getByRole('tabpanel').getByRole('status').filter({ hasText: 'Success' }).waitFor()
  const panel = async (name: string): Promise<unknown> =>
    JSON.parse((await page.getByRole('region', { name }).locator('pre').textContent()) ?? '')
  expect(await panel('Existing Associations')).toBeInstanceOf(Array)
  expect(await panel('Creation Result')).toMatchObject({ fromRecordId: expect.any(String) })
  // The server's answer for an unknown id.
  const sample = await id.inputValue()
  await id.fill('an_event_that_nobody_has')
  await test.click()
  await expectToast(page, 'Error', 'There is no transaction with this ID here. Check the ID.')
  await page.getByRole('alert').filter({ hasText: 'Error' }).first().waitFor()
  await id.fill(sample)
  await withoutNetwork(page, async () => {
    await test.click()
    await expectToast(page, 'Error', 'Failed to test association. Check console for details.')
  })
  await page.getByRole('textbox', { name: 'Subscription ID' }).fill('')
  await expect.poll(() => test.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Subscription ID' }).fill('sub_typed')
  await id.fill('')
  await expect.poll(() => test.isDisabled()).toBe(true)
  await id.fill('  ')
  await test.click()
  await expectToast(page, 'Missing selection', 'Please select both a transaction and a subscription.')
})

it('says what HubSpot refused', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/diagnostics')
  await switchOn(look.hubspotUrl, {
    kind: 'status',
    status: 403,
    match: { pathPrefix: '/crm/', times: null },
  })
  await button(page, 'Check Missing Associations').click()
  await expectToast(page, 'Error', /HubSpot/)
  await switchAllOff(look.hubspotUrl)
  await button(page, 'Check Missing Associations').click()
  await expectToast(page, 'Check Complete', /./)
  expect(await ask(page, '/api/connection-status')).toMatchObject({ hubspot: { warning: null } })
})
