import type { Books } from '../model/books.ts'
import type { Price, PriceScheme } from '../model/offer.ts'

/** Tiers in which additional units are free, or in which every unit is. */
const extraOffers: Record<string, { like: string; scheme: PriceScheme }> = {
  plateau: {
    like: 'contacts',
    scheme: {
      kind: 'volume',
      tiers: [
        { upTo: 15, unitCents: 0, flatCents: 6000 },
        { upTo: null, unitCents: 400, flatCents: 0 },
      ],
    },
  },
  'plateau-year': {
    like: 'team-year',
    scheme: {
      kind: 'graduated',
      tiers: [
        { upTo: 20, unitCents: 0, flatCents: 68_750 },
        { upTo: null, unitCents: 3600, flatCents: 0 },
      ],
    },
  },
  'first-free': {
    like: 'storage',
    scheme: {
      kind: 'graduated',
      tiers: [
        { upTo: 10, unitCents: 0, flatCents: 0 },
        { upTo: null, unitCents: 900, flatCents: 0 },
      ],
    },
  },
  'bundle-year': {
    like: 'team-year',
    scheme: { kind: 'package', unitCents: '9900', divideBy: 10, round: 'up' },
  },
}

export const extraPrices = Object.keys(extraOffers)

/** Adds the price to the account on first use, so that worlds without it keep their bytes. */
export function extraPrice(books: Books, key: string): Price {
  const { prices } = books.catalogue
  const extra = extraOffers[key]
  const like = prices.get(extra?.like ?? '')
  if (extra === undefined || like === undefined) throw new RangeError(`no price ${key}`)
  const held = prices.get(key)
  if (held !== undefined) return held
  const made = { ...like, id: books.newId('price'), scheme: extra.scheme, nickname: key }
  prices.set(key, made)
  return made
}
