import { describe, expect, it } from 'vitest'
import { canonicalHost, emailHost } from './email-address.ts'

describe('emailHost', () => {
  it.each([
    ['bob@bigcorp.test', 'bigcorp.test'],
    ['Bob@BIGCORP.test', 'bigcorp.test'],
    ['bob@bigcorp.test.', 'bigcorp.test'],
    ['bob+tag@bigcorp.test ', 'bigcorp.test'],
    ['"a@b"@bigcorp.test', 'bigcorp.test'],
    ['bob@bücher.test', 'xn--bcher-kva.test'],
  ])('of %s is %s', (email, host) => {
    expect(emailHost(email)).toBe(host)
  })

  it.each(['', 'bob', '@bigcorp.test', 'bob@', 'bob@localhost', 'bob@10.0.0.1', 'bob@a/b.test', 'bob@[::1]'])(
    'of %j is none',
    (email) => {
      expect(emailHost(email)).toBeNull()
    },
  )

  it('tells homographs apart', () => {
    expect(canonicalHost('bigcоrp.test')).not.toBe(canonicalHost('bigcorp.test'))
  })
})
