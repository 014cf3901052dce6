import { describe, expect, it } from 'vitest'
import { canonicalHost, claimableDomain, emailHost } from './email-domain.ts'

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

describe('claimableDomain', () => {
  it.each([
    ['bob@bigcorp.test', 'bigcorp.test'],
    ['bob@mail.eu.bigcorp.test', 'bigcorp.test'],
    ['bob@sales.bigcorp.co.uk', 'bigcorp.co.uk'],
  ])('of %s is %s', (email, domain) => {
    expect(claimableDomain(email)).toBe(domain)
  })

  it.each([
    'kim@gmail.com',
    'kim@yahoo.com',
    'kim@hotmail.com',
    'kim@outlook.com',
    'kim@icloud.com',
    'kim@GoogleMail.com',
    'kim@proton.me',
    'kim@co.uk',
    'kim@github.io',
  ])('of %s is none, so that nobody can block the others', (email) => {
    expect(claimableDomain(email)).toBeNull()
  })
})
