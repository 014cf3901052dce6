import { describe, expect, it } from 'vitest'
import { claimableDomain } from './mail-domain.ts'

/** Anybody can get an address there: by forwarding, as a free mailbox, or on a subdomain of their own. */
const shared = [
  ...[
    'duck.com',
    'mozmail.com',
    'passmail.net',
    'passmail.com',
    'passinbox.com',
    'simplelogin.com',
    'simplelogin.co',
  ],
  ...[
    'simplelogin.io',
    'slmails.com',
    'aleeas.com',
    'addy.io',
    'anonaddy.com',
    'anonaddy.me',
    '4wrd.cc',
    'mailer.me',
  ],
  ...[
    '8alias.com',
    'dralias.com',
    '33mail.com',
    'burnermail.io',
    'forwardemail.net',
    'privaterelay.appleid.com',
  ],
  ...[
    'tutanota.com',
    'tutanota.de',
    'tutamail.com',
    'tuta.io',
    'keemail.me',
    'proton.me',
    'protonmail.com',
    'pm.me',
  ],
  ...['fastmail.com', 'hushmail.com', 'mailbox.org', 'posteo.de', 'startmail.com', 'hey.com', 'icloud.com'],
  ...['onmicrosoft.com', 'onmicrosoft.de', 'onmicrosoft.us', 'onmschina.cn', 'zendesk.com', 'freshdesk.com'],
  ...['atlassian.net', 'sharepoint.com', 'appspotmail.com', 'mailgun.org', 'groups.io', 'googlegroups.com'],
  ...[
    'myshopify.com',
    'github.io',
    'herokuapp.com',
    'azurewebsites.net',
    'blogspot.com',
    'co.uk',
    'eu.org',
    'us.com',
  ],
]
const fullWidth = (text: string) =>
  text.replace(/[a-z0-9]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0))
const spellings: [string, (domain: string) => string][] = [
  ['as it is', (domain) => `kim@${domain}`],
  ['in capitals', (domain) => `KIM@${domain.toUpperCase()}`],
  ['with a dot at its end', (domain) => `kim@${domain}.`],
  ['with blanks', (domain) => ` kim@${domain} `],
  ['with a tag', (domain) => `kim+work@${domain}`],
  ['with an @ before it', (domain) => `"kim@bigcorp.test"@${domain}`],
  ['in full width', (domain) => `kim@${fullWidth(domain)}`],
  ['with an ideographic dot', (domain) => `kim@${domain.replaceAll('.', '。')}`],
  ['with a soft hyphen', (domain) => `kim@${domain[0]}\u00ad${domain.slice(1)}`],
  ['in percent signs', (domain) => `kim@%${domain.charCodeAt(0).toString(16)}${domain.slice(1)}`],
]

describe('a domain where anybody gets an address', () => {
  it.each(spellings)('is nobody’s to claim, written %s', (_, spell) => {
    expect(shared.filter((domain) => claimableDomain(spell(domain)) !== null)).toEqual([])
  })

  it.each([
    'onmicrosoft.com',
    'mail.onmicrosoft.com',
    'zendesk.com',
    'atlassian.net',
    'anonaddy.com',
    'slack.com',
    'odoo.com',
  ])('is claimed by no subdomain of %s either', (domain) => {
    for (const [, spell] of spellings) expect(claimableDomain(spell(`contoso.${domain}`))).toBeNull()
  })

  it.each(['slack.com', 'odoo.com'])(
    'is still the company’s own where its people have theirs: %s',
    (domain) => {
      expect(claimableDomain(`kim@${domain}`)).toBe(domain)
    },
  )
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
