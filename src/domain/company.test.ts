import { describe, expect, it } from 'vitest'
import { type CompanyCandidate, type CompanyEvidence, decideCompany, ownDomain } from './company.ts'

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
const gamma = company('5', 'gamma.example')

const nobody: CompanyEvidence = {
  name: 'Alpha',
  kind: 'own',
  isShared: false,
  rule: null,
  byName: [],
  email: 'pat@alpha.example',
  host: 'alpha.example',
  registrableDomain: 'alpha.example',
  ofContact: [],
  byDomain: [],
}

const noDomain = (kind: CompanyEvidence['kind']) => ({ kind, registrableDomain: null })
const freeMail = noDomain('personal')

describe('decideCompany', () => {
  it.each<[string, Partial<CompanyEvidence>, string]>([
    ['the contact has a company', { ofContact: [beta] }, 'contact_email 4'],
    ['the contact outranks the domain', { ofContact: [beta], byDomain: [alpha] }, 'contact_email 4'],
    [
      'of two companies of the contact, neither on the domain, one is its primary one',
      { ofContact: [alpha, beta], primaryCompanyId: '4', host: 'x.example', registrableDomain: 'x.example' },
      'contact_email 4',
    ],
    [
      'of two companies of the contact on the domain, one is its primary one',
      { ofContact: [alpha, alphaTwin, beta], byDomain: [alpha, alphaTwin], primaryCompanyId: '3' },
      'contact_email 3',
    ],
    [
      'the domain counts for nothing, and the primary company of the contact is another',
      { rule: { kind: 'never' }, ofContact: [alpha, beta], byDomain: [alpha], primaryCompanyId: '4' },
      'contact_email 4',
    ],
    ['one company of the host', { byDomain: [alpha] }, 'company_domain 1'],
    ['the very host outranks its siblings', { byDomain: [alpha, alphaShop] }, 'company_domain 1'],
    [
      'the host only serves the mail of its domain',
      { host: 'mail.alpha.example', byDomain: [alpha] },
      'company_domain 1',
    ],
    [
      'the domain may be a provider’s, and one has it',
      { kind: 'doubtful', byDomain: [alpha] },
      'company_domain 1',
    ],
    [
      'of several companies of a contact, the one on its domain',
      { ofContact: [beta, alpha], byDomain: [alpha, alphaTwin] },
      'contact_email 1',
    ],
    ['free mail, but a contact', { ...freeMail, ofContact: [beta] }, 'contact_email 4'],
    [
      'the address cannot be one, but a contact has it',
      { ...noDomain('invalid'), ofContact: [beta] },
      'contact_email 4',
    ],
    [
      'a shared domain, but a contact',
      { isShared: true, ofContact: [beta], byDomain: [alpha] },
      'contact_email 4',
    ],
    [
      'a person decided so for the domain, whatever else is found',
      { rule: { kind: 'always', company: alphaTwin }, ofContact: [beta], byDomain: [alpha] },
      'rule 3',
    ],
    [
      'the domain counts for nothing, but there is a contact',
      { rule: { kind: 'never' }, ofContact: [beta], byDomain: [alpha] },
      'contact_email 4',
    ],
  ])('links when %s', (_, given, expected) => {
    const decided = decideCompany({ ...nobody, ...given })
    expect(decided.state === 'linked' && `${decided.evidence} ${decided.company.recordId}`).toBe(expected)
  })

  it.each<[string, Partial<CompanyEvidence>, string, string[]]>([
    ['two companies of the host', { byDomain: [alpha, alphaTwin] }, 'several_candidates', ['1', '3']],
    [
      'only its parent has a company',
      { host: 'x.alpha.example', byDomain: [alpha] },
      'related_domain',
      ['1'],
    ],
    [
      'only a sister has a company',
      { host: 'x.alpha.example', byDomain: [alphaShop] },
      'related_domain',
      ['2'],
    ],
    ['only a part of it has a company', { byDomain: [alphaShop] }, 'related_domain', ['2']],
    ['the domain may be a provider’s', { kind: 'doubtful' }, 'doubtful_domain', []],
    ['two of the contact', { ofContact: [beta, gamma] }, 'several_candidates', ['4', '5']],
    [
      'the primary company of the contact has a rival that has the domain',
      { ofContact: [beta, gamma], byDomain: [alpha], primaryCompanyId: '5' },
      'several_candidates',
      ['5', '4', '1'],
    ],
    ['nothing is found', {}, 'no_candidate', []],
    [
      'the company that was made for the domain has another by now',
      { byDomain: [{ ...beta, createdFor: 'alpha.example' }] },
      'company_changed',
      ['4'],
    ],
    ...(
      [
        ['a person ruled the domain out', { rule: { kind: 'never' } }, 'never_rule'],
        ['many customers share the domain', { isShared: true }, 'shared_domain'],
      ] as const
    ).map(([silence, given, evidence]): [string, Partial<CompanyEvidence>, string, string[]] => [
      `${silence}, and the contact only repeats it`,
      { ...given, ofContact: [alpha], byDomain: [alpha] },
      evidence,
      ['1'],
    ]),
    [
      'a person ruled the domain out, and the contact is one of a client beside',
      { rule: { kind: 'never' }, ofContact: [alpha, beta], byDomain: [alpha], primaryCompanyId: '1' },
      'never_rule',
      ['1', '4'],
    ],
    ['free mail that a company is named after', { ...freeMail, byDomain: [alpha] }, 'free_mail', []],
    [
      'the contact of free mail only has a company of it',
      { ...freeMail, ofContact: [alpha] },
      'free_mail',
      ['1'],
    ],
    ['a slip of the pen', { ...noDomain('misspelled'), byDomain: [alpha] }, 'misspelled_email', []],
    ['many customers share the domain', { isShared: true, byDomain: [alpha] }, 'shared_domain', ['1']],
    ['a person ruled the domain out', { rule: { kind: 'never' }, byDomain: [alpha] }, 'never_rule', ['1']],
    [
      'the company of the rule is gone',
      { rule: { kind: 'always', company: null }, byDomain: [alpha] },
      'company_gone',
      ['1'],
    ],
    ['only the name is the same', { byName: [beta] }, 'no_candidate', ['4']],
    [
      'the name is that of a company without a domain',
      { byName: [beta, company('6')] },
      'same_name',
      ['6', '4'],
    ],
    ['the address cannot be one', { ...noDomain('invalid'), host: null }, 'invalid_email', []],
    ['there is no address', { ...noDomain('none'), email: null, host: null }, 'no_email', []],
  ])('waits for a person when %s', (_, given, evidence, candidates) => {
    const decided = decideCompany({ ...nobody, ...given })
    expect(decided).toMatchObject({ state: 'pending', evidence })
    expect(decided.state === 'pending' && decided.candidates.map(({ recordId }) => recordId)).toEqual(
      candidates,
    )
  })

  it('names every reason of a candidate, of the two of a domain the stronger', () => {
    const decided = decideCompany({ ...nobody, byDomain: [alpha, alphaTwin], byName: [alpha] })
    expect(decided.state === 'pending' && decided.candidates[0]?.reasons).toEqual([
      'company_domain',
      'same_name',
    ])
  })
})

describe('ownDomain', () => {
  it.each([
    ['acme.example', 'acme.example'],
    ['mail.acme.example', 'acme.example'],
    ['mx1.mail.acme.example', 'acme.example'],
    ['www.acme.example', 'acme.example'],
    ['mail.labs.acme.example', 'labs.acme.example'],
    ['labs.acme.example', 'labs.acme.example'],
    ['mailbox.acme.example', 'mailbox.acme.example'],
  ])('of %s is %s', (host, expected) => {
    expect(ownDomain(host, 'acme.example')).toBe(expected)
  })

  it('is never an ending under which others register', () => {
    expect(ownDomain('mail.co.uk', 'mail.co.uk')).toBe('mail.co.uk')
  })
})
