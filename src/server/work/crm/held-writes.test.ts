import { expect, it } from 'vitest'
import { createHeldWrites } from './held-writes.ts'

it('says in sentences what the CRM refused, and each reason once', () => {
  const held = createHeldWrites()
  expect(held.explain('HubSpot')).toBeNull()
  held.hold('known records', 'Property values were not valid')
  held.hold('new records', 'Property values were not valid')
  const due = 'What was not written is still due: put it right in HubSpot, then sync again.'
  expect(held.explain('HubSpot')).toBe(
    `HubSpot refused changes to records and new records for the whole account: Property values were not valid. ${due}`,
  )
  held.hold('contacts', 'No room!')
  expect(held.explain('HubSpot')).toBe(
    `HubSpot refused changes to records, new records, and new contacts for the whole account: Property values were not valid. No room! ${due}`,
  )
})
