import { describe, expect, it } from 'vitest'
import { realName } from './company-name.ts'

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
