import { describe, expect, it } from 'vitest'
import { addressProblem } from './address-problem.ts'
import { readAddress } from './read-address.ts'

describe('readAddress', () => {
  it.each([
    ['Pat@Acme.Example', 'pat@acme.example', 'acme.example'],
    [' pat+bills@mail.acme.co.uk ', 'pat+bills@mail.acme.co.uk', 'acme.co.uk'],
    ['pat@bücher.example', 'pat@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['pat@XN--BCHER-KVA.example', 'pat@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['pat@acme.myshopify.com', 'pat@acme.myshopify.com', 'acme.myshopify.com'],
    ['pat@bigcorp.test', 'pat@bigcorp.test', 'bigcorp.test'],
    ['pat@пример.рф', 'pat@xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
  ])('reads %j', (raw, email, registrableDomain) => {
    expect(readAddress(raw)).toMatchObject({ kind: 'own', email, registrableDomain })
  })

  it.each([null, '', '  '])('%j is none', (raw) => {
    expect(readAddress(raw)).toEqual({ kind: 'none', email: null, host: null, registrableDomain: null })
  })

  it.each(['pat', 'pat@', '@acme.example', 'a b@acme.example', 'a@b;c@d.example', '"pat"@acme.example'])(
    '%j cannot be one',
    (raw) => {
      expect(readAddress(raw)).toEqual({ kind: 'invalid', email: null, host: null, registrableDomain: null })
    },
  )

  it.each(['pat@acme..com', 'pat@-acme.com', 'pat@acme_.com', 'pat@localhost', 'pat@10.0.0.1'])(
    '%j has no host that can be one',
    (raw) => {
      expect(readAddress(raw).kind).toBe('invalid')
    },
  )

  it.each(['con', 'cmo', 'c0m', 'nett', 'comm', 'couk', 'local', 'lan', 'invalid', 'ocm'])(
    'nothing ends in .%s',
    (ending) => {
      expect(readAddress(`ann@northwind.${ending}`)).toMatchObject({
        kind: 'invalid',
        registrableDomain: null,
      })
    },
  )

  it.each(['com', 'co', 'cm', 'company', 'io', 'co.uk', 'museum', 'みんな'])(
    'a name may end in .%s',
    (ending) => {
      expect(readAddress(`ann@northwind.${ending}`).kind).toBe('own')
    },
  )

  it.each([
    ...[
      'gmail.com',
      'yahoo.fr',
      'hotmail.co.uk',
      'live.nl',
      'proton.me',
      'tuta.com',
      'posteo.de',
      'fastmail.com',
    ],
    ...[
      'duck.com',
      'privaterelay.appleid.com',
      'mozmail.com',
      'relay.firefox.com',
      'simplelogin.com',
      'addy.io',
    ],
    ...['aleeas.com', 'anonaddy.me', 'anything.anonaddy.com', 'passmail.net', 'users.noreply.github.com'],
    ...['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com'],
    ...['gmx.ch', 'gmx.li', 'gmx.co.uk', 'aol.de', 'aol.fr', 'yandex.ua', 'yandex.pl', 'net-c.lu', 'live.se'],
    ...[
      't-online.de',
      'bluewin.ch',
      'a1.net',
      'ziggo.nl',
      'telenet.be',
      'orange.fr',
      'btinternet.com',
      'telia.com',
    ],
    ...[
      'virginmedia.com',
      'online.no',
      'movistar.es',
      'libero.it',
      'otenet.gr',
      'seznam.cz',
      'wp.pl',
      'siol.net',
    ],
    ...[
      'comcast.net',
      'shaw.ca',
      'sasktel.net',
      'uol.com.br',
      'cantv.net',
      'nifty.com',
      'hinet.net',
      'naver.com',
    ],
    ...[
      'qq.com',
      'netvigator.com',
      'singnet.com.sg',
      'bsnl.in',
      'bezeqint.net',
      'eim.ae',
      'mweb.co.za',
      'bigpond.com',
    ],
    ...['xtra.co.nz', 'acme.onmicrosoft.com', 'co.uk', 'github.io'],
  ])('%s belongs to nobody in particular', (host) => {
    expect(readAddress(`zoe@${host}`)).toMatchObject({ kind: 'personal', host, registrableDomain: null })
  })

  it.each([
    ...[
      'quickmail.example',
      'e-mail.example',
      'privaterelay.example',
      'my-inbox.example',
      'anonymous-box.example',
    ],
    ...['noreply.platform.example', 'relay.platform.example', 'city-telecom.example', 'fast-dsl.example'],
    ...['zoe.me.uk', 'zoe.name', 'zoe.ne.jp'],
  ])('%s may be a provider that no list knows', (host) => {
    expect(readAddress(`zoe@${host}`)).toMatchObject({ kind: 'doubtful', host })
  })

  it.each(['mail.acme.example', 'retail.example', 'smaller.example', 'cabletown.example', 'wifirst.example'])(
    '%s is a company’s own',
    (host) => {
      expect(readAddress(`zoe@${host}`).kind).toBe('own')
    },
  )
})

describe('a slip of the pen', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['hotmail.xyz', 'hotmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmal.co.uk', 'hotmail.co.uk'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.fr', 'yahoo.fr'],
    ['outlok.com', 'outlook.com'],
    ['outlook.om', 'outlook.com'],
    ['iclould.com', 'icloud.com'],
    ['aol.co', 'aol.com'],
    ['t-onlin.de', 't-online.de'],
    ['comcas.net', 'comcast.net'],
  ])('makes %s of %s', (host, meant) => {
    expect(readAddress(`zoe@${host}`)).toMatchObject({ kind: 'misspelled', registrableDomain: null })
    expect(addressProblem(`Zoe@${host}`, 'Stripe')).toBe(
      `The address zoe@${host} looks like a slip of the pen for ${meant}. Correct it in Stripe, or choose the company if it is right.`,
    )
  })

  it.each(['gmx.com', 'ymail.com', 'mail.com', 'hotmail.de', 'outlook.de', 'gmail.com'])(
    'is not seen in the provider %s',
    (host) => {
      expect(readAddress(`zoe@${host}`).kind).toBe('personal')
    },
  )

  it.each(['cloud.com', 'hotmart.com', 'outdoor.com', 'smail-und-sohn.example', 'allo.com', 'verizon.com'])(
    'is not seen in %s',
    (host) => {
      expect(readAddress(`zoe@${host}`).kind).not.toBe('misspelled')
    },
  )
})

describe('addressProblem', () => {
  it.each([
    [
      'Ann@northwind.con',
      'The address ann@northwind.con ends in .con, which is no top-level domain. Correct it in Stripe.',
    ],
    ['ann at northwind', 'ann at northwind cannot be an email address. Correct it in Stripe.'],
    ['ann@northwind.com', null],
    ['zoe@duck.com', null],
    [null, null],
  ])('of %j is %j', (raw, expected) => {
    expect(addressProblem(raw, 'Stripe')).toBe(expected)
  })
})
