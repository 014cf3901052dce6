import { isIPv6 } from 'node:net'

const groupsOfNetwork = 4

/**
 * The part of an address that one customer of an access provider has: a whole IPv4 address, or the first 64 bits
 * of an IPv6 address, because that customer can change the rest freely.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : []
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.slice(0, groupsOfNetwork).join(':')}::/64`
}
