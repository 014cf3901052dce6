import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld, type Visitor } from '#test/harness.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { addCustomer, addSubscription } from '#test/store/seed.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({
    crm: {
      portals: [{ hubId: enterprise, name: 'Yard', domain: 'yard.example', tier: 'enterprise' }],
      seedFrom: {
        companies: [
          { name: 'Ember tools LLC', domain: 'ember.example' },
          { name: 'Birch paper Ltd', domain: 'birch.example' },
          { name: 'Birch paper Inc', domain: 'birch-paper.example' },
          { name: 'Willow energy LLC', domain: 'willow.example' },
        ],
        contacts: [],
      },
    },
  })
  person = await world.person()
  await person.connectHubspot()
  await person.fetch('/api/settings/sync', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ syncSettings: { autoCreateCompanies: false } }),
  })
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    for (const [id, cents, name] of [
      ['ember', 9_000, ember],
      ['birch', 5_000, birch],
      ['willow', 1_000, willow],
    ] as const) {
      await addCustomer(tenant, { id: `cus_${id}`, name })
      await addSubscription(tenant, { id: `sub_${id}`, customer_id: `cus_${id}`, current_mrr_cents: cents })
    }
  })
  await person.post('/api/matches/run')
  // HubSpot's search finds companies after some seconds.
  await world.deps.sleep(10_000)
})
afterAll(() => world.close())

const ember = 'Ember tools LLC'
const birch = 'Birch paper GmbH'
const willow = 'Willow energy B.V.'
const all = [ember, birch, willow]

const shown = (expected: string[]) =>
  rowsOf('Match Review', (rows) => {
    const names = rows.map(([first]) => all.find((name) => first?.startsWith(name)))
    return names.join() === expected.join()
  })
const nameOf = (name: string) =>
  screen.getAllByRole('button', { name }).find((one) => one.dataset['customer'] !== undefined) ??
  document.body
/** Presses a key where the focus is; says whether it meant something. */
const press = (key: string) => !fireEvent.keyDown(document.activeElement ?? document.body, { key })
/** After it, a letter is no longer one of a name that somebody types. */
const sinceLetter = () => new Promise((done) => setTimeout(done, 300))
const pressOn = (name: string, key: string) => {
  nameOf(name).focus()
  return press(key)
}
const review = async () => within(await screen.findByRole('dialog', { name: 'Review Match' }))
/** While the dialog still closes, keys belong to neither. */
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const linked = async () => (await (await person.fetch('/api/matches?state=linked')).json()).matches

test('U undoes one decision after another, gives the row the focus, and says when there is none', async () => {
  const app = openApp(world, person, '/match-review')
  await shown(all)
  pressOn(birch, 'i')
  await shown([ember, willow])
  pressOn(willow, 'i')
  await shown([ember])
  const undo = await screen.findByRole('button', { name: 'Undo' })
  expect(undo.querySelector('kbd')?.dataset['key']).toBe('U')
  expect(fireEvent.keyDown(screen.getByPlaceholderText('Search customers...'), { key: 'u' })).toBe(true)
  press('u')
  await shown([ember, willow])
  await waitFor(() => expect(document.activeElement).toBe(nameOf(willow)))
  press('u')
  await shown(all)
  await waitFor(() => expect(document.activeElement).toBe(nameOf(birch)))
  press('u')
  await app.told('Nothing to undo.')
})

test('what was not saved stays there with its customer while what was pressed after it is saved, until the next', async () => {
  let sent = 0
  const fetch: Visitor['fetch'] = async (input, init) => {
    if (init?.method !== 'POST' || !String(input).endsWith('/decisions')) return person.fetch(input, init)
    sent += 1
    return sent < 3 ? new Response('', { status: 503 }) : person.fetch(input, init)
  }
  const app = openApp(world, { fetch }, '/match-review')
  await shown(all)
  for (const name of all) pressOn(name, 'i')
  await shown([ember, birch])
  const failed = () => screen.queryByRole('alert')?.textContent
  for (const name of [ember, birch])
    expect(failed()).toContain(`${name}: An error occurred while saving your decision.`)
  pressOn(birch, 'i')
  await shown([ember])
  await waitFor(() => expect(failed()).toBeUndefined())
  press('u')
  await shown([ember, birch])
  press('u')
  await shown(all)
  await app.told('Undone')
})

test('the keys of a row lead to the first one while none has the focus, and U undoes the last of all', async () => {
  openApp(world, person, '/match-review')
  await shown(all)
  for (const key of ['a', 'i', 'x']) {
    ;(document.activeElement as HTMLElement | null)?.blur()
    expect(press(key)).toBe(true)
    expect(document.activeElement).toBe(nameOf(ember))
    await shown(all)
  }
  for (const [name, left] of [
    [ember, [birch, willow]],
    [birch, [willow]],
    [willow, []],
  ] as const) {
    pressOn(name, 'i')
    await shown([...left])
  }
  await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  press('u')
  await shown([willow])
  for (const left of [[birch, willow], all]) {
    press('u')
    await shown(left)
  }
})

test('U right after a decision undoes that one, and not the one before', async () => {
  openApp(world, person, '/match-review')
  await shown(all)
  pressOn(willow, 'i')
  await shown([ember, birch])
  pressOn(birch, 'i')
  press('u')
  await screen.findByText(`${birch} is as before. Nothing changes in HubSpot.`, { exact: false })
  await shown([ember, birch])
  press('u')
  await shown(all)
})

test('U does not undo again what the button has undone', async () => {
  const app = openApp(world, person, '/match-review')
  await shown(all)
  pressOn(willow, 'i')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await shown(all)
  press('u')
  await app.told('Nothing to undo.')
})

test('U in the dialog shows the customer again', async () => {
  openApp(world, person, '/match-review')
  await shown(all)
  fireEvent.click(nameOf(birch))
  const dialog = await review()
  await dialog.findByText('Customer 2 of 3')
  press('i')
  await dialog.findByText(willow)
  await sinceLetter()
  press('u')
  await dialog.findByText('Customer 2 of 3')
  await dialog.findByText(birch)
  expect(document.activeElement?.textContent).toBe('Customer 2 of 3')
  await shown(all)
})

test('A on a customer without a candidate opens it, and neither A again nor a name that is typed there decides', async () => {
  openApp(world, person, '/match-review')
  await shown(all)
  expect(pressOn(willow, 'a')).toBe(true)
  const dialog = await review()
  for (const letter of 'william') press(letter)
  expect(press('/')).toBe(true)
  expect(document.activeElement).toBe(dialog.getByLabelText('Choose a company'))
  press('Escape')
  expect(dialog.getByText('Customer 3 of 3')).toBeTruthy()
  await sinceLetter()
  const choice = await dialog.findByRole('button', { name: 'Choose Willow energy LLC' })
  expect(choice.getAttribute('aria-keyshortcuts')).toBe('1')
  expect(await dialog.findByText('choose a company found')).toHaveProperty(
    'textContent',
    '1 choose a company found',
  )
  const field = dialog.getByLabelText('Choose a company')
  expect(fireEvent.keyDown(field, { key: 'a' })).toBe(true)
  expect(press('a')).toBe(false)
  expect(await linked()).toEqual([])
  await sinceLetter()
  press('1')
  await shown([ember, birch])
  expect(await linked()).toMatchObject([{ customerId: 'cus_willow', companyName: 'Willow energy LLC' }])
  await closed()
  press('u')
  await shown(all)
})

test('a number chooses one of several companies found', async () => {
  openApp(world, person, '/match-review')
  await shown(all)
  pressOn(birch, 'a')
  const dialog = await review()
  const choices = await dialog.findAllByRole('button', { name: /^Choose / })
  expect(choices.map((one) => one.getAttribute('aria-keyshortcuts'))).toEqual(['1', '2'])
  const second = choices[1]?.getAttribute('aria-label')?.replace('Choose ', '')
  for (const key of ['a', '3']) {
    expect(press(key)).toBe(false)
    await sinceLetter()
  }
  expect(press('2')).toBe(true)
  await shown([ember, willow])
  expect(await linked()).toMatchObject([{ customerId: 'cus_birch', companyName: second }])
  press('u')
  await shown(all)
})

test('Escape in a field of the dialog leaves the field, so that the keys count again, and then the dialog', async () => {
  openApp(world, person, '/match-review')
  await shown(all)
  fireEvent.click(nameOf(willow))
  const dialog = await review()
  for (const label of ['Create a company', 'Choose a company']) {
    const field = dialog.getByLabelText(label)
    field.focus()
    expect((await dialog.findByText('back')).textContent).toBe('Esc back')
    expect(press('Escape')).toBe(true)
    expect(document.activeElement?.textContent).toBe('Customer 3 of 3')
    await waitFor(() => expect(dialog.queryByText('back')).toBeNull())
  }
  press('k')
  await dialog.findByText('Customer 2 of 3')
  press('Escape')
  await closed()
})

test('a key pressed again while the dialog moves on decides nothing a second time', async () => {
  const gate = Promise.withResolvers<void>()
  let isHeld = false
  let decided = 0
  const slow: Person['fetch'] = async (input, init) => {
    const { pathname } = new URL(String(input), 'http://localhost')
    const isList = pathname === '/api/matches' && (init?.method ?? 'GET') === 'GET'
    if (pathname === '/api/matches/decisions' && init?.method === 'POST') decided += 1
    if (isList && isHeld) await gate.promise
    return person.fetch(input, init)
  }
  openApp(world, { ...person, fetch: slow }, '/match-review')
  await shown(all)
  fireEvent.click(nameOf(willow))
  await (await review()).findByText('Customer 3 of 3')
  isHeld = true
  press('i')
  await screen.findByText(`Saved for ${willow}`)
  press('i')
  gate.resolve()
  await closed()
  expect(decided).toBe(1)
  press('u')
  await shown(all)
})
