import type { Catalogue, Coupon, Price, PriceScheme, TaxRate, WorldProduct } from '../model/offer.ts'
import type { Interval } from '../time/calendar.ts'

const longName = `Compliance & retention add-on ${'with audit trail, export and legal hold, '.repeat(5)}all regions`

const productOffers: [key: string, name: string, unit?: string][] = [
  ['starter', 'Starter'],
  ['team', 'Team', 'seat'],
  ['business', 'Business ⚡'],
  ['scale', 'Scale 🚀 / Größe XL'],
  ['support', '<b>Priority</b> Support &amp; "Care"'],
  ['retention', longName],
  ['storage', 'Storage (graduated)', 'block'],
  ['contacts', 'Contacts, volume priced', 'contact list'],
  ['messages', 'Message packs', 'message'],
  ['sensors', "O'Sensor; DROP TABLE sensors;--", 'sensor'],
  ['api', 'API calls (metered)', 'call'],
  ['free', 'Free for ever'],
  ['newsletter', '  週刊 Newsletter  '],
  ['legacy', 'Legacy 2019 «Gold»'],
  ['onboarding', 'Onboarding workshop'],
]

type PriceRow = [
  key: string,
  product: string,
  currency: string,
  unit: string,
  interval: Interval | null,
  count?: number,
]

const flatPrices: PriceRow[] = [
  ['starter', 'starter', 'usd', '1900', 'month'],
  ['starter-odd', 'starter', 'usd', '999', 'month'],
  ['starter-year', 'starter', 'usd', '19000', 'year'],
  ['team', 'team', 'usd', '1200', 'month'],
  ['team-year', 'team', 'usd', '12000', 'year'],
  ['team-quarter', 'team', 'usd', '3300', 'month', 3],
  ['business', 'business', 'usd', '9900', 'month'],
  ['business-year', 'business', 'usd', '99000', 'year'],
  ['scale', 'scale', 'usd', '49900', 'month'],
  ['scale-year', 'scale', 'usd', '499000', 'year'],
  ['scale-2-years', 'scale', 'usd', '890000', 'year', 2],
  ['support', 'support', 'usd', '5000', 'month'],
  ['support-quarter', 'support', 'usd', '10000', 'month', 3],
  ['retention', 'retention', 'usd', '1500', 'month'],
  ['sensors', 'sensors', 'usd', '12.5', 'month'],
  ['free', 'free', 'usd', '0', 'month'],
  ['newsletter-week', 'newsletter', 'usd', '500', 'week'],
  ['newsletter-day', 'newsletter', 'usd', '150', 'day'],
  ['legacy', 'legacy', 'usd', '3900', 'month'],
  ['legacy-year', 'legacy', 'usd', '42000', 'year'],
  ['onboarding', 'onboarding', 'usd', '25000', null],
  ['team-eur', 'team', 'eur', '1100', 'month'],
  ['business-eur', 'business', 'eur', '9500', 'month'],
  ['business-eur-year', 'business', 'eur', '95000', 'year'],
  ['business-jpy', 'business', 'jpy', '14800', 'month'],
  ['business-jpy-year', 'business', 'jpy', '148000', 'year'],
  ['team-jpy', 'team', 'jpy', '1700', 'month'],
  ['newsletter-jpy-week', 'newsletter', 'jpy', '80', 'week'],
  ['support-eur-quarter', 'support', 'eur', '9500', 'month', 3],
  ['team-kwd', 'team', 'kwd', '3750', 'month'],
  ['business-kwd', 'business', 'kwd', '30400', 'month'],
  ['business-kwd-year', 'business', 'kwd', '304000', 'year'],
]

const schemes: [key: string, product: string, currency: string, scheme: PriceScheme][] = [
  [
    'storage',
    'storage',
    'usd',
    {
      kind: 'graduated',
      tiers: [
        { upTo: 5, unitCents: 700, flatCents: 0 },
        { upTo: 20, unitCents: 500, flatCents: 1000 },
        { upTo: null, unitCents: 300, flatCents: 0 },
      ],
    },
  ],
  [
    'contacts',
    'contacts',
    'usd',
    {
      kind: 'volume',
      tiers: [
        { upTo: 10, unitCents: 500, flatCents: 2000 },
        { upTo: null, unitCents: 350, flatCents: 1500 },
      ],
    },
  ],
  ['messages', 'messages', 'usd', { kind: 'package', unitCents: '2500', divideBy: 100, round: 'up' }],
  ['messages-eur', 'messages', 'eur', { kind: 'package', unitCents: '240', divideBy: 7, round: 'down' }],
  [
    'storage-kwd',
    'storage',
    'kwd',
    {
      kind: 'graduated',
      tiers: [
        { upTo: 10, unitCents: 2100, flatCents: 0 },
        { upTo: null, unitCents: 1850, flatCents: 1500 },
      ],
    },
  ],
  [
    'contacts-jpy',
    'contacts',
    'jpy',
    {
      kind: 'volume',
      tiers: [
        { upTo: 20, unitCents: 75, flatCents: 0 },
        { upTo: null, unitCents: 60, flatCents: 500 },
      ],
    },
  ],
]

type CouponRow = [
  id: string,
  percent: number | null,
  amount: number | null,
  duration: Coupon['duration'],
  months?: number | undefined,
  currency?: string,
]

const couponOffers: CouponRow[] = [
  ['WELCOME20', 20, null, 'once'],
  ['FIRSTFREE', 100, null, 'once'],
  ['LAUNCH50-3M', 50, null, 'repeating', 3],
  ['THIRD-12M', 33.33, null, 'repeating', 12],
  ['PARTNER10', 10, null, 'forever'],
  ['FRIENDS25', 25, null, 'forever'],
  ['SPONSORED', 100, null, 'forever'],
  ['FIVEOFF', null, 500, 'forever'],
  ['TENOFF-6M', null, 1000, 'repeating', 6],
  ['BIGHUG', null, 6000, 'once'],
  ['KEEP100', 100, null, 'once'],
  ['SUPPORT15', 15, null, 'forever'],
  ['EIGHT-EURO', null, 800, 'forever', undefined, 'eur'],
  ['YEN300-4M', null, 300, 'repeating', 4, 'jpy'],
]

const taxRateOffers: [
  key: string,
  name: string,
  percentage: string,
  inclusive: boolean,
  country: string,
  kind: string,
][] = [
  ['sales', 'Sales tax', '8.25', false, 'US', 'sales_tax'],
  ['vat', 'VAT', '19', false, 'DE', 'vat'],
  ['moms', 'Moms', '25', true, 'DK', 'vat'],
  ['jct', '消費税', '10', true, 'JP', 'jct'],
]

/** The catalogue, made at `created` (Unix seconds) with ids from the given maker. */
export function createCatalogue(newId: (prefix: string) => string, created: number): Catalogue {
  const products = new Map<string, WorldProduct>()
  for (const [key, name, unit] of productOffers) {
    const description = key === 'team' ? 'Per seat,\nbilled ahead.' : null
    const active = key !== 'legacy'
    products.set(key, { id: newId('prod'), name, created, active, unitLabel: unit ?? null, description })
  }
  const prices = new Map<string, Price>()
  const addPrice = (key: string, product: string, scheme: PriceScheme, rest: Partial<Price>): void => {
    prices.set(key, {
      ...basicPrice(newId, productOf(products, product), scheme, created),
      nickname: key,
      ...rest,
    })
  }
  for (const [key, product, currency, unitCents, interval, count] of flatPrices) {
    const scheme: PriceScheme = { kind: 'flat', unitCents }
    addPrice(key, product, scheme, { currency, interval, count: count ?? 1, active: product !== 'legacy' })
  }
  for (const [key, product, currency, scheme] of schemes) addPrice(key, product, scheme, { currency })
  addPrice('api', 'api', { kind: 'flat', unitCents: '2' }, { metered: true })
  return { products, prices, coupons: createCoupons(created, products), taxRates: createTaxRates(newId) }
}

/** Launches a product at `now`, with a price and a coupon that nobody has used yet. */
export function launch(
  catalogue: Catalogue,
  newId: (prefix: string) => string,
  now: number,
): { product: WorldProduct; price: Price; coupon: Coupon } {
  const name = 'Companion app (beta) 📱'
  const product: WorldProduct = {
    id: newId('prod'),
    name,
    created: now,
    active: true,
    unitLabel: null,
    description: null,
  }
  const price = {
    ...basicPrice(newId, product, { kind: 'flat', unitCents: '700' }, now),
    nickname: 'companion',
  }
  const coupon: Coupon = { ...blankCoupon('BETA5', now), percentOff: 5 }
  catalogue.products.set('companion', product)
  catalogue.prices.set('companion', price)
  catalogue.coupons.set(coupon.id, coupon)
  return { product, price, coupon }
}

/** A price made for a single deal (price_data): inactive from the start and absent from price lists. */
export function inlinePrice(
  newId: (prefix: string) => string,
  like: Price,
  unitCents: string,
  created: number,
): Price {
  const scheme: PriceScheme = { kind: 'flat', unitCents }
  return { ...like, id: newId('price'), scheme, created, active: false, inline: true, nickname: null }
}

function basicPrice(
  newId: (prefix: string) => string,
  product: WorldProduct,
  scheme: PriceScheme,
  created: number,
): Price {
  return {
    id: newId('price'),
    product,
    currency: 'usd',
    interval: 'month',
    count: 1,
    metered: false,
    scheme,
    created,
    active: true,
    inline: false,
    nickname: null,
    taxBehavior: 'unspecified',
  }
}

function productOf(products: Map<string, WorldProduct>, key: string): WorldProduct {
  const product = products.get(key)
  if (product === undefined) throw new RangeError(`no product ${key}`)
  return product
}

function createCoupons(created: number, products: Map<string, WorldProduct>): Map<string, Coupon> {
  const coupons = new Map<string, Coupon>()
  for (const [id, percentOff, amountOff, duration, months, currency] of couponOffers) {
    coupons.set(id, {
      ...blankCoupon(id, created),
      name: id === 'BIGHUG' ? null : `${id} 🎁`,
      percentOff,
      amountOff,
      currency: amountOff === null ? null : (currency ?? 'usd'),
      duration,
      months: months ?? null,
      productsOnly: id === 'SUPPORT15' ? [productOf(products, 'support')] : null,
    })
  }
  return coupons
}

function blankCoupon(id: string, created: number): Coupon {
  return {
    id,
    name: null,
    percentOff: null,
    amountOff: null,
    currency: null,
    duration: 'forever',
    months: null,
    created,
    productsOnly: null,
    timesRedeemed: 0,
  }
}

function createTaxRates(newId: (prefix: string) => string): Map<string, TaxRate> {
  const rates = new Map<string, TaxRate>()
  for (const [key, name, percentage, inclusive, country, kind] of taxRateOffers) {
    rates.set(key, { id: newId('txr'), name, percentage, inclusive, country, kind })
  }
  return rates
}
