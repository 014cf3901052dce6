import { describe, expect, it } from 'vitest'
import { clientAddressOf, isAddressRange } from './client-address.ts'

const read = (trustedProxies: string[], peer: string | undefined, forwarded?: string) =>
  clientAddressOf({ trustedProxies })(
    new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    peer,
  )

describe('the address of a caller', () => {
  it.each([
    ['is the peer by default', [], '192.0.2.1', '6.6.6.6', '192.0.2.1'],
    ['is what a trusted proxy names', ['10.0.0.0/8'], '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['is not what the caller put before it', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 192.0.2.1', '192.0.2.1'],
    [
      'is read past a chain of trusted proxies',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '192.0.2.1, 10.0.0.2',
      '192.0.2.1',
    ],
    ['is not named by another peer', ['10.0.0.0/8'], '192.0.2.9', '6.6.6.6', '192.0.2.9'],
    ['is the proxy where it names none', ['10.0.0.0/8'], '10.0.0.1', undefined, '10.0.0.1'],
    ['is the proxy where it names nonsense', ['10.0.0.0/8'], '10.0.0.1', "'; drop table", '10.0.0.1'],
    ['is plain inside IPv6', ['10.0.0.1'], '::ffff:10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
    ['may be of IPv6', ['fd00::/8'], 'fd00::1', '2001:db8::1', '2001:db8::1'],
    ['is told without its port', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6:80, 192.0.2.1:50123', '192.0.2.1'],
    [
      'is told without the port and brackets of IPv6',
      ['fd00::/8'],
      'fd00::1',
      '[2001:db8::1]:50123',
      '2001:db8::1',
    ],
    ['is told without the brackets of IPv6', ['fd00::/8'], 'fd00::1', '"[2001:db8::1]"', '2001:db8::1'],
    [
      'is read past a trusted proxy that is named with its port',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '192.0.2.1, 10.0.0.2:443',
      '192.0.2.1',
    ],
    ['is not known without a connection', ['10.0.0.0/8'], undefined, '192.0.2.1', undefined],
  ])('%s', (_, proxies, peer, forwarded, expected) => {
    expect(read(proxies, peer, forwarded)).toBe(expected)
  })

  it.each([
    ['10.0.0.1', true],
    ['10.0.0.0/8', true],
    ['fd00::/8', true],
    ['10.0.0.0/64', false],
    ['proxy.example', false],
    ['10.0.0.0/7', false],
    ['2000::/15', false],
    ['fc00::/7', true],
    ['fc00::/6', false],
    ['fc::/15', false],
    ['10.0.0.0/', false],
  ])('%s as a range: %s', (text, expected) => expect(isAddressRange(text)).toBe(expected))
})
