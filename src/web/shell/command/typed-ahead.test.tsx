import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer } from '#test/store/seed.ts'
import { heading, type OpenApp, openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addCustomer(tenant, { id: 'cus_harbour', name: 'Harbour Works' }),
  )
})
afterAll(() => world.close())

let app: OpenApp
beforeEach(async () => {
  app = openApp(world, person, '/customers')
  await heading('Customers')
})

const press = (key: string, ctrlKey = false) => fireEvent.keyDown(document.body, { key, ctrlKey })
const openMenu = () => press('k', true)
/** As Control+V does: the key, and then what the browser makes of it. */
function paste(text: string): void {
  if (press('v', true)) fireEvent.paste(document.body, { clipboardData: { getData: () => text } })
}
const shownText = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search and commands' }).value

test('what is pasted before the menu is open is in its field, between what is typed', async () => {
  openMenu()
  press('a')
  paste('\nharbour\r\nworks ')
  press('b')
  await waitFor(() => expect(shownText()).toBe('aharbour worksb'))
  fireEvent.keyDown(document.body, { key: 'Escape' })
})

test('an id that is pasted before the menu is open leads to its record', async () => {
  openMenu()
  paste('cus_harbour')
  await waitFor(() => expect(app.address()).toBe('/customers/cus_harbour'))
})
