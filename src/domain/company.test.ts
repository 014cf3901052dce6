import { describe, expect, it } from 'vitest'
import { type CompanyCandidate, type CompanyEvidence, decideCompany, normalizeEmail } from './company.ts'

const company = (recordId: string, ...domains: string[]): CompanyCandidate => ({
  recordId,
  name: `Company ${recordId}`,
  domains,
  registrableDomains: domains.map((domain) => domain.split('.').slice(-2).join('.')),
})
const alpha = company('1', 'alpha.example')
const alphaShop = company('2', 'shop.alpha.example')
const alphaTwin = company('3', 'alpha.example')
const beta = company('4', 'beta.example')

const nobody: CompanyEvidence = {
  email: 'pat@alpha.example',
  host: 'alpha.example',
  registrableDomain: 'alpha.example',
  isFreeMail: false,
  ofContact: [],
  byDomain: [],
}

describe('decideCompany', () => {
  it.each<[string, Partial<CompanyEvidence>, string]>([
    ['the contact has a company', { ofContact: [beta] }, 'contact_email 4'],
    ['the contact outranks the domain', { ofContact: [beta], byDomain: [alpha] }, 'contact_email 4'],
    ['one company of the host', { byDomain: [alpha] }, 'company_domain 1'],
    ['the very host outranks its siblings', { byDomain: [alpha, alphaShop] }, 'company_domain 1'],
    [
      'one company of the registrable domain',
      { host: 'mail.alpha.example', byDomain: [alpha] },
      'company_domain 1',
    ],
    [
      'of several companies of a contact, the one on its domain',
      { ofContact: [beta, alpha], byDomain: [alpha, alphaTwin] },
      'contact_email 1',
    ],
    ['free mail, but a contact', { isFreeMail: true, ofContact: [beta] }, 'contact_email 4'],
  ])('links when %s', (_, given, expected) => {
    const decided = decideCompany({ ...nobody, ...given })
    expect(decided.state === 'linked' && `${decided.evidence} ${decided.company.recordId}`).toBe(expected)
  })

  it.each<[string, Partial<CompanyEvidence>, string, string[]]>([
    ['two companies of the host', { byDomain: [alpha, alphaTwin] }, 'several_candidates', ['1', '3']],
    [
      'two of the registrable domain',
      { host: 'x.alpha.example', byDomain: [alpha, alphaShop] },
      'several_candidates',
      ['1', '2'],
    ],
    ['two of the contact', { ofContact: [alpha, beta] }, 'several_candidates', ['1', '4']],
    ['nothing is found', {}, 'no_candidate', []],
    ['free mail that a company is named after', { isFreeMail: true, byDomain: [alpha] }, 'free_mail', []],
    ['there is no address', { email: null, host: null, registrableDomain: null }, 'no_email', []],
  ])('waits for a person when %s', (_, given, evidence, candidates) => {
    const decided = decideCompany({ ...nobody, ...given })
    expect(decided).toMatchObject({ state: 'pending', evidence })
    expect(decided.state === 'pending' && decided.candidates.map(({ recordId }) => recordId)).toEqual(
      candidates,
    )
  })

  it('names every reason of a candidate once', () => {
    const decided = decideCompany({ ...nobody, byDomain: [alpha, alphaTwin] })
    expect(decided.state === 'pending' && decided.candidates[0]?.reasons).toEqual([
      'company_domain',
      'company_registrable_domain',
    ])
  })
})

describe('normalizeEmail', () => {
  it.each([
    [' Pat@Alpha.EXAMPLE ', 'pat@alpha.example'],
    ['pat', null],
    ['a b@alpha.example', null],
    ['a@b;c@d.example', null],
    ['', null],
    [null, null],
  ])('reads %j as %j', (email, expected) => {
    expect(normalizeEmail(email)).toBe(expected)
  })
})
