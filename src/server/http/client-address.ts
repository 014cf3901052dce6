import { BlockList, isIP, isIPv6 } from 'node:net'

export type ClientAddress = (headers: Headers, remoteAddress: string | undefined) => string | undefined

/**
 * Finds the address of the caller. Trusted proxies (TRUSTED_PROXIES) name it in X-Forwarded-For; the last entry
 * that is not a trusted proxy counts, because callers can invent all entries before it.
 */
function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) addTo(trusted, proxy)
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (headers, remoteAddress) => {
    if (remoteAddress === undefined) return undefined
    const peer = plain(remoteAddress)
    if (!isTrusted(peer)) return peer
    const named = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => plain(part.trim()))
    const chain = [...named.filter((part) => part !== ''), peer].reverse()
    const client = chain.find((address) => !isTrusted(address)) ?? chain.at(-1)
    return client !== undefined && isIP(client) !== 0 ? client : peer
  }
}

const known = new WeakMap<object, ClientAddress>()

/** The one reader of addresses for a configuration. */
export function clientAddressOf(config: { trustedProxies: readonly string[] }): ClientAddress {
  const read = known.get(config) ?? createClientAddress(config.trustedProxies)
  known.set(config, read)
  return read
}

/**
 * Whether the text is an address, or a range without callers in it, since two halves are all: at most a /8 of IPv4, a
 * /16 of IPv6, or the private fc00::/7.
 */
export function isAddressRange(text: string): boolean {
  const list = new BlockList()
  try {
    addTo(list, text)
  } catch {
    return false
  }
  const [address = '', bits = '128'] = text.split('/')
  // A range of IPv6 may hold IPv4 as well: ::ffff:0:0/96 is all of it.
  const held = firstOctets.filter((first) => list.check(`${first}.0.0.1`, 'ipv4'))
  const least = /^f[cd]..:/i.test(address) ? 7 : 16
  return held.length <= 1 && (!isIPv6(address) || Number(bits) >= least)
}

const firstOctets = Array.from({ length: 256 }, (_, first) => first)

function addTo(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  if (isIP(address) === 0) throw new RangeError('not an address')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits !== undefined && !/^[1-9]\d{0,2}$/.test(bits)) throw new RangeError('not a range')
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/**
 * The address alone: without the port that some proxies add (Azure Application Gateway), without quotes and brackets,
 * and IPv4 also when it is shown inside an IPv6 address.
 */
function plain(address: string): string {
  const [, bracketed, dotted] = /^"?(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?"?$/.exec(address) ?? []
  return (bracketed ?? dotted ?? address).replace(/^::ffff:(?=\d+\.)/i, '')
}
