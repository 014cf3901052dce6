import { parse } from 'tldts'
import { domainsIn } from './mail-provider-lists.ts'
import { isKnownProvider } from './mail-providers.ts'

/** Providers that people usually mean when they type something close to these names. */
const wellKnown = new Map(
  domainsIn(`
  gmail.com googlemail.com hotmail.com outlook.com yahoo.com icloud.com protonmail.com ymail.com
  rocketmail.com fastmail.com aol.com msn.com live.com gmx.net t-online.de freenet.de orange.fr wanadoo.fr
  laposte.net libero.it comcast.net verizon.net sbcglobal.net bellsouth.net optonline.net earthlink.net
  btinternet.com virginmedia.com yandex.ru rambler.ru seznam.cz rediffmail.com
  `).map((domain) => [domain.slice(0, domain.indexOf('.')), domain] as const),
)

/** Names that belong to one provider only, whatever the top-level domain. */
const brands = new Set([
  'gmail',
  'googlemail',
  'hotmail',
  'outlook',
  'yahoo',
  'icloud',
  'protonmail',
  'rocketmail',
])

/** Shorter names are too similar to many others. */
const slipLengthMin = 5

/** The well-known provider that was probably meant: 'gmail.com' for 'gmial.com' or 'gmail.co'. */
export function providerMeantBy(host: string): string | null {
  const { domainWithoutSuffix: name, publicSuffix: suffix, domain } = parse(host)
  if (!name || !suffix || domain === null) return null
  const known = wellKnown.get(name)
  if (known !== undefined) {
    if (isSlip(suffix, suffixOf(known))) return known
    return brands.has(name) && !isKnownProvider(domain) ? known : null
  }
  for (const [meant, usual] of wellKnown) {
    if (meant.length < slipLengthMin || meant[0] !== name[0] || !isSlip(name, meant)) continue
    const put = `${meant}.${suffix}`
    if (put === usual || isKnownProvider(put)) return put
    if (isSlip(suffix, suffixOf(usual))) return usual
  }
  return null
}

function suffixOf(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1)
}

/** Whether the two differ by one extra, missing, wrong or swapped letter. */
export function isSlip(typed: string, meant: string): boolean {
  if (typed === meant || Math.abs(typed.length - meant.length) > 1) return false
  let at = 0
  while (at < typed.length && typed[at] === meant[at]) at++
  const [rest, wanted] = [typed.slice(at), meant.slice(at)]
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2)
  return (
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted.slice(1) ||
    (rest.length > 1 && isSwapped)
  )
}
