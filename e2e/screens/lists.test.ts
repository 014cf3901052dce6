import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../person.ts'
import { button, expectTexts, openLook, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

const label = 'Subscriptions'
const path = '/api/stripe/subscriptions'

it.each([
  ['/subscriptions', 'Created from', 'from'],
  ['/customers', 'Paying on', 'payingOn'],
])(
  '%s takes a day that is typed key by key, and keeps one that is not complete',
  async (address, name, filter) => {
    await page.goto(address)
    await button(page, 'Filters').click()
    const field = page.getByRole('dialog', { name: 'Filters' }).getByLabel(name)
    await field.pressSequentially('03152026')
    await page.waitForURL((url) => url.searchParams.get(filter) === '2026-03-15')
    await page.keyboard.press('Backspace')
    await page.getByLabel('Search', { exact: false }).first().focus()
    await expectTexts(page, 'The day is not complete.')
    expect(new URL(page.url()).searchParams.get(filter)).toBe('2026-03-15')
  },
)

it('is narrowed by chips, summed, exported, and opens rows in new tabs', async () => {
  const { totalCount } = await ask<{ totalCount: number }>(page, `${path}?interval=365&isMatched=true`)
  await page.goto('/subscriptions?interval=365')
  await button(page, 'Filters').click()
  await page.getByLabel('Company in HubSpot').selectOption('true')
  // Escape closes the options first, then the panel.
  await page.getByRole('combobox', { name: 'Product' }).click()
  const products = page.getByRole('listbox', { name: 'Product' })
  await products.waitFor()
  await page.keyboard.press('Escape')
  await products.waitFor({ state: 'hidden' })
  await page.getByRole('dialog', { name: 'Filters' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/interval=365&isMatched=true$/)
  await expectTexts(page, new RegExp(`MRR .* in ${totalCount} subscriptions?$`))
  const file = await page.request.get(`/api/csv/subscriptions?interval=365&isMatched=true`)
  expect(file.headers()['content-disposition']).toMatch(/harbour-demo-subscriptions-\d{4}-\d{2}-\d{2}\.csv/)
  expect((await file.text()).trim().split('\r\n')).toHaveLength(totalCount + 1)
  // A row that is being replaced takes no click.
  await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'hidden' })
  await page
    .locator('[aria-busy=false]')
    .filter({ has: table(page, label) })
    .waitFor()
  const row = table(page, label).locator('tbody tr').first()
  // One line, whatever its addresses.
  expect((await row.boundingBox())?.height).toBeLessThan(50)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    row.click({ modifiers: ['ControlOrMeta'], position: { x: 3, y: 3 } }),
  ])
  await tab.waitForURL(/\/subscriptions\/sub_/)
  await tab.close()
  await copiesText()
  await button(page, /^Remove the filter Company in HubSpot/).click()
  await page.waitForURL(/interval=365$/)
})

/** Text of a row can be selected with the mouse, and a click on it still opens the row. */
async function copiesText(): Promise<void> {
  const address = page.url()
  const email = table(page, label).getByText(/@/).first()
  await email.scrollIntoViewIfNeeded()
  const box = await email.boundingBox()
  if (box === null) throw new Error('no row has an email')
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x + 12, middle)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, middle, { steps: 4 })
  await page.mouse.up()
  const selected = await page.evaluate(() => String(window.getSelection()).trim())
  expect(selected.length).toBeGreaterThan(3)
  await expect.poll(() => email.textContent()).toContain(selected)
  expect(page.url()).toBe(address)
  await page.getByRole('heading', { level: 1 }).click()
  const menuOf = page.evaluate(
    () =>
      new Promise((done) =>
        document.addEventListener('contextmenu', ({ target }) => done((target as Element).tagName), {
          once: true,
        }),
      ),
  )
  await email.click({ button: 'right' })
  expect(await menuOf).toBe('A')
  const [tab] = await Promise.all([page.context().waitForEvent('page'), email.click({ button: 'middle' })])
  await tab.waitForURL(/\/subscriptions\/sub_/)
  await tab.close()
  await email.click()
  await page.waitForURL(/\/subscriptions\/sub_/)
  await page.goBack()
}

it('keeps the heads of a long list below the header where it fits, and all columns in reach where it does not', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/customers?perPage=50')
  await table(page, 'Customers').locator('tbody tr').nth(49).scrollIntoViewIfNeeded()
  await expect.poll(() => gapOf('Customers')).toBe(0)
  await page.goto('/subscriptions?columns=all&perPage=50')
  const box = page.locator('[tabindex="0"]').filter({ has: table(page, label) })
  await expect.poll(() => box.evaluate((found) => found.scrollWidth > found.clientWidth)).toBe(true)
  await table(page, label).locator('tbody tr').nth(49).scrollIntoViewIfNeeded()
  expect(await gapOf(label)).toBeLessThan(-500)
  // Where the room grows, the table fits.
  await page.setViewportSize({ width: 2400, height: 900 })
  await expect.poll(() => gapOf(label)).toBe(0)
  await page.emulateMedia({ media: 'print' })
  const heads = table(page, label).locator('thead')
  await expect.poll(() => heads.evaluate((found) => getComputedStyle(found).position)).toBe('static')
  await page.emulateMedia({ media: 'screen' })
})

it('has the columns that it shows first on a usual desktop, each row in one line, or two with amounts apart', async () => {
  await page.emulateMedia({ media: 'screen' })
  const shown = (name: string) =>
    table(page, name).evaluate((found) => ({
      cut: found.clientWidth - (found.parentElement?.parentElement?.clientWidth ?? 0),
      highest: Math.max(...[...found.querySelectorAll('tbody tr')].map((row) => row.clientHeight)),
      heads: found.querySelector('thead tr')?.clientHeight,
    }))
  const open = async (address: string, name: string, width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(address)
    await table(page, name).locator('tbody tr').nth(49).waitFor()
  }
  for (const [address, name, highest] of [
    ['/subscriptions?perPage=50', label, 50],
    ['/events?perPage=50', 'Events', 50],
    ['/customers?perPage=50', 'Customers', 65],
  ] as const) {
    for (const width of [1280, 1440]) {
      await open(address, name, width)
      await expect
        .poll(async () => (await shown(name)).cut, { message: `${name} at ${width} px` })
        .toBeLessThanOrEqual(0)
      expect((await shown(name)).highest).toBeLessThan(highest)
      // At 1440 px, heads have room for one line too.
      if (width === 1440) expect((await shown(name)).heads, name).toBeLessThan(50)
    }
  }
  await open('/customers?perPage=50&columns=all', 'Customers', 1440)
  expect((await shown('Customers')).highest).toBeLessThan(65)
})

/** How far the heads of a table are below the header of the page, in whole px. */
async function gapOf(name: string): Promise<number> {
  const [header, heads] = [page.locator('header').first(), table(page, name).locator('thead')]
  const [above, below] = [await header.boundingBox(), await heads.boundingBox()]
  if (above === null || below === null) throw new Error('the page has no header or no heads')
  return Math.round(below.y - above.y - above.height)
}

it('is cards on a phone, and keeps a view that a person saves, and changes', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/subscriptions?status=active')
  const cards = page.getByRole('list', { name: label, exact: true }).getByRole('listitem')
  await expect.poll(() => cards.count()).toBe(10)
  // What is set shows, and the first row is on the first screen.
  await button(page, 'Remove the filter Status: Active').waitFor()
  expect((await cards.first().boundingBox())?.y).toBeLessThan(480)
  await button(page, 'Table').click()
  await table(page, label).locator('tbody tr').nth(9).waitFor()
  await button(page, 'Cards').click()
  await cards.first().waitFor()
  await button(page, 'Filters').click()
  await button(page, 'Views').click()
  await page.getByLabel('Save this list as').fill('Paying')
  await button(page, 'Save').click()
  await page.getByRole('link', { name: 'Paying', exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/subscriptions')
  await button(page, 'Views').click()
  await page.getByRole('link', { name: 'Paying', exact: true }).click()
  await page.waitForURL(/\?status=active$/)
  await page.getByRole('dialog', { name: 'Views' }).waitFor({ state: 'hidden' })
  await page.getByLabel('Status', { exact: true }).selectOption('canceled')
  await page.waitForURL(/\?status=canceled$/)
  await button(page, 'Views (changed): Paying').click()
  await button(page, "Update view 'Paying'").click()
  await expectTexts(page, "'Paying' keeps this list as it is now.")
  await page.goto('/subscriptions')
  await button(page, 'Views').click()
  await page.getByRole('link', { name: 'Paying', exact: true }).click()
  await page.waitForURL(/\?status=canceled$/)
  await page.getByRole('dialog', { name: 'Views' }).waitFor({ state: 'hidden' })
  await button(page, 'Views: Paying').waitFor()
  await page.keyboard.press('Enter')
  await button(page, 'Delete Paying').waitFor()
  await expect.poll(() => button(page, /^Update view/).count()).toBe(0)
  // Of two views of the same list, the chosen one is meant.
  await page.getByLabel('Save this list as').fill('Ended')
  await button(page, 'Save').click()
  await page.getByRole('link', { name: 'Ended', exact: true }).waitFor()
  await page.goto('/subscriptions')
  await button(page, 'Views').click()
  await page.getByRole('link', { name: 'Paying', exact: true }).click()
  await page.waitForURL(/\?status=canceled$/)
  await page.getByRole('dialog', { name: 'Views' }).waitFor({ state: 'hidden' })
  await page.getByLabel('Status', { exact: true }).selectOption('active')
  await page.waitForURL(/\?status=active$/)
  await button(page, 'Views (changed): Paying').click()
  await button(page, "Update view 'Paying'").waitFor()
  await button(page, 'Delete Ended').click()
  // What is below it moves up, away from a click.
  await button(page, 'Delete Ended').waitFor({ state: 'hidden' })
  await button(page, 'Delete Paying').click()
  await expect.poll(() => page.getByRole('link', { name: 'Paying', exact: true }).count()).toBe(0)
  // A page size is taste: the next list has it too.
  await page.getByLabel('Per page').selectOption('25')
  await page.waitForURL(/perPage=25/)
  await page.goto('/events')
  await expect.poll(() => page.getByLabel('Per page').inputValue()).toBe('25')
  await page.getByLabel('Per page').selectOption('10')
})

it('moves columns by the keyboard, and keeps the focus where it was', async () => {
  await page.goto('/subscriptions?columns=companyName,currentMrr,status')
  await button(page, 'Columns').click()
  const order = () =>
    table(page, label)
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.map((head) => head.textContent))
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? null)
  await button(page, 'Move Status up').focus()
  for (const titles of [
    ['Company', 'Status', 'MRR'],
    ['Status', 'Company', 'MRR'],
    ['Status', 'Company', 'MRR'],
  ]) {
    await page.keyboard.press('Enter')
    await expect.poll(order).toEqual(titles)
    await expect.poll(focused).toBe('Move Status up')
  }
  const quantity = page.getByRole('checkbox', { name: 'Quantity' })
  await quantity.focus()
  await page.keyboard.press('Space')
  await button(page, 'Move Quantity up').waitFor()
  await expect.poll(() => quantity.evaluate((box) => box === document.activeElement)).toBe(true)
})
