import { expect, test } from 'vitest'
import { changesText } from './changes-text.ts'

const none = { subscriptions: 0, events: 0, links: 0, companies: 0, contacts: 0 }

test.each([
  [none, 'No changes'],
  [{ ...none, companies: null, contacts: null }, 'No changes'],
  [{ ...none, contacts: 1 }, '1 new contact'],
  [
    { subscriptions: 9, events: 5, links: 19, companies: 1, contacts: 1_234 },
    '9 subscriptions, 5 events, 19 links, 1 new company and 1,234 new contacts',
  ],
])('a sync also says what it created: %j', (changes, text) => {
  expect(changesText({ status: 'completed', changes })).toBe(text)
})
