import { describe, expect, it } from 'vitest'
import { companyDomains, companyHost } from './domains.ts'

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
  const domains = ['shop.acme.co.uk', 'https://acme.co.uk', 'nonsense']
  expect(companyDomains({ domains, website: null })).toEqual({
    domains: ['shop.acme.co.uk', 'acme.co.uk'],
    registrableDomains: ['acme.co.uk'],
  })
})

it.each([
  ['acme.example, acme.test', ['acme.example', 'acme.test']],
  ['https://acme.example/;www.acme.test', ['acme.example', 'acme.test']],
  ['linkedin.com/company/acme', []],
  ['https://github.com/acme acme.test', ['acme.test']],
  ['linkedin.com', ['linkedin.com']],
])('reads %j, which was imported as a domain, as %j', (text, domains) => {
  expect(companyDomains({ domains: [text], website: null }).domains).toEqual(domains)
})

describe('the website of a company', () => {
  const domainsOf = (website: string, ...domains: string[]) => companyDomains({ domains, website }).domains

  it.each([
    ['https://www.webonly.example/en', 'webonly.example'],
    ['HTTP://WWW.WebOnly.Example:8080/en?x=1#top', 'webonly.example'],
    ['webonly.example', 'webonly.example'],
    ['//webonly.example/', 'webonly.example'],
    [' https://somebody@webonly.example. ', 'webonly.example'],
    ['https://www.bücher.example/über', 'xn--bcher-kva.example'],
    ['https://shop.webonly.example', 'shop.webonly.example'],
    ['https://webonly.myshopify.com/cart', 'webonly.myshopify.com'],
    ['https://www.linkedin.com', 'linkedin.com'],
  ])('%s names the domain where there is none', (website, host) => {
    expect(domainsOf(website)).toEqual([host])
    expect(domainsOf(website, 'no domain')).toEqual([host])
    expect(domainsOf(website, 'acme.example')).toEqual(['acme.example'])
  })

  it.each([
    'https://www.facebook.com/webonly',
    'https://uk.linkedin.com/company/webonly/',
    'https://sites.google.com/view/webonly',
    'http://10.0.0.1/',
    'http://localhost:3000',
    'none',
    '',
  ])('%j names none', (website) => {
    expect(domainsOf(website)).toEqual([])
  })
})
