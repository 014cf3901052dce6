import { describe, expect, it } from 'vitest'
import { companyDomains, companyHost, domainOfAddress } from './domains.ts'

describe('domainOfAddress', () => {
  it.each([
    ['Pat@Acme.Example', 'acme.example', 'acme.example', false],
    [' pat@mail.acme.co.uk', 'mail.acme.co.uk', 'acme.co.uk', false],
    ['pat@bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example', false],
    ['pat@gmail.com', 'gmail.com', null, true],
    ['pat@co.uk', 'co.uk', null, true],
    ['pat', null, null, false],
    [null, null, null, false],
  ])('reads %j', (email, host, registrableDomain, isFreeMail) => {
    expect(domainOfAddress(email)).toEqual({ host, registrableDomain, isFreeMail })
  })
})

describe('companyHost', () => {
  it.each([
    ['acme.example', 'acme.example'],
    ['https://www.Acme.example/team?x=1', 'acme.example'],
    ['www.acme.example.', 'acme.example'],
    ['http://acme.example:8080', 'acme.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['Acme Ltd', null],
    ['', null],
    ['localhost', null],
    ['10.0.0.1', null],
  ])('reads %j as %j', (text, host) => {
    expect(companyHost(text)).toBe(host)
  })
})

it('finds a company under its host and under its registrable domain', () => {
  expect(companyDomains(['shop.acme.co.uk', 'https://acme.co.uk', 'nonsense'])).toEqual({
    domains: ['shop.acme.co.uk', 'acme.co.uk'],
    registrableDomains: ['acme.co.uk'],
  })
})
