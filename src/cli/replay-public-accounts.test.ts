import { describe, expect, test } from 'vitest'
import { runReplay } from '#test/mrr/replay-examples.ts'
import { forms, publicAccounts } from '#test/public-accounts.ts'

describe.each(Object.keys(forms))('public accounts, %s', (form) => {
  test.each(publicAccounts)('$name ($expected.rules)', ({ world, expected }) => {
    const { code, error, lines } = runReplay(['a'], { a: forms[form]?.(world) })
    expect({ code, error }).toEqual({ code: 0, error: '' })
    const [{ events, subscriptions, currentMrr }] = lines
    expect(events).toHaveLength(expected.events.length)
    expect(events).toMatchObject(expected.events)
    expect(subscriptions).toMatchObject(expected.subscriptions)
    expect(currentMrr).toEqual(expected.currentMrr)
  })
})
