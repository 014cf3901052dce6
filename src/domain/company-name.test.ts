import { describe, expect, it } from 'vitest'
import { companyBaseName, realName, withoutLegalForm } from './company-name.ts'

describe('realName', () => {
  it.each([
    ...[
      'none',
      'None',
      ' NONE ',
      '(none)',
      'n/a',
      'N.A.',
      '#N/A',
      'null',
      '<null>',
      'undefined',
      'nan',
      'unknown',
    ],
    ...[
      'no name',
      'No-Name',
      'noname',
      'n.n.',
      'not provided',
      'tbd',
      'test',
      'Test Test',
      'TEST-USER',
      'test company',
    ],
    ...[
      'customer',
      'New Customer',
      'guest',
      'demo',
      'foo bar',
      'asdf',
      'xxx',
      'anonymous',
      '[redacted]',
      '[deleted]',
    ],
    ...[
      'unbekannt',
      'Kein Name',
      'k.A.',
      'Kunde',
      'inconnu',
      'sans nom',
      'Aucun',
      'desconocido',
      'S I N nombre',
    ],
    ...['cliente', 'sconosciuto', 'onbekend', 'okänd', 'неизвестно', '不明', '测试', 'テスト', '고객'],
    ...['', '-', '--', '.', '?', '***', '123', '0', '🚀🚀🚀', '\u3164', '\u200b', '株'.slice(1)],
    ...['kim@acme.example', ' Billing@Acme.example '],
  ])('%j is none', (name) => {
    expect(realName(name)).toBeNull()
  })

  it.each([
    ...[
      'Northwind Traders',
      'X',
      'a',
      'Customer 10',
      'Nonesuch Ltd',
      'Testo SE',
      'Null Island Tours',
      '3M',
      'Nana',
    ],
    ...['株式会社', 'مؤسسة النخيل', 'Ødegård', 'Unknown Worlds', 'Guest House Lindau', 'N26', '=SUM(A1:A9)'],
  ])('%j is one', (name) => {
    expect(realName(` ${name} `)).toBe(name)
  })

  it('of nobody is none', () => {
    expect(realName(null)).toBeNull()
  })
})

describe('withoutLegalForm', () => {
  it.each([
    ...[
      'Acme Inc.',
      'Acme, Inc',
      'Acme LLC',
      'Acme L.L.C.',
      'Acme Ltd',
      'ACME LIMITED',
      'Acme Co., Ltd.',
      'Acme plc',
    ],
    ...[
      'Acme Pty Ltd',
      'Acme (Pty) Ltd',
      'Acme Pvt. Ltd.',
      'Acme Pte Ltd',
      'Acme Sdn. Bhd.',
      'PT Acme Tbk',
      'Acme Corp',
    ],
    ...[
      'Acme GmbH',
      'Acme G.m.b.H.',
      'Acme GmbH & Co. KG',
      'Acme AG',
      'Acme UG (haftungsbeschränkt)',
      'Acme e.K.',
    ],
    ...[
      'Acme B.V.',
      'Acme BV',
      'Acme N. V.',
      'Acme S.A.',
      'Acme SARL',
      'Acme S.r.l.',
      'Acme S.p.A.',
      'Acme Ltda.',
    ],
    ...[
      'Acme, S.A. de C.V.',
      'Acme S. de R.L. de C.V.',
      'Acme S.L.',
      'Acme AB',
      'Acme A/S',
      'Acme ApS',
      'Acme Oy',
    ],
    ...[
      'Acme Sp. z o.o.',
      'Acme s.r.o.',
      'Acme d.o.o.',
      'Acme Kft.',
      'UAB Acme',
      'Acme OÜ',
      'Acme Ltd. Şti.',
      'Acme A.Ş.',
    ],
    ...[
      'ООО Acme',
      'Acme K.K.',
      'K.K. Acme',
      '株式会社Acme',
      'Acme 株式会社',
      'Acme(株)',
      '㈱Acme',
      'Acme股份有限公司',
      '주식회사 Acme',
    ],
  ])('of %j is the name that HubSpot may have with another form', (name) => {
    expect(withoutLegalForm(name).toLowerCase()).toBe('acme')
  })

  it.each([
    ...[
      'Willow energy',
      'Casa',
      'Vitamin Basa',
      'Ink & Inclination',
      'Costa',
      'Ember tools LLC (duplicate)',
      'Asahi',
    ],
    ...['acme.co', 'X Ltd', 'GmbH', '株式会社', 'Müller & Söhne', 'Smith, Jones', ''],
  ])('of %j is the same', (name) => {
    expect(withoutLegalForm(` ${name} `)).toBe(name)
  })
})

it.each([
  ['Willow energy B.V.', 'WILLOW ENERGY LLC'],
  ['Ａｃｍｅ', 'Acme Inc.'],
  ['ООО Ромашка', 'ромашка'],
])('%s and %s are names of one company', (one, other) =>
  expect(companyBaseName(one)).toBe(companyBaseName(other)),
)
