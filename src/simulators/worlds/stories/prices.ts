import { endSubscription } from '../agreements/ending.ts'
import { oneOffLine } from '../lines/draft-lines.ts'
import type { Customer } from '../model/subscription.ts'
import type { Order } from '../subscriptions/start.ts'
import { addMonths, daySeconds } from '../time/calendar.ts'
import {
  daysBefore,
  dealPrice,
  early,
  leaving,
  priceOf,
  type Story,
  type StoryStage,
  signUp,
  steady,
  taxRateOf,
} from './stage.ts'

type Shape = (stage: StoryStage, now: number) => Omit<Order, 'behaviour'>

/** A subscription without events: the story is about the price that it buys. */
function buying(
  name: string,
  shape: Shape,
  begins: Story['begins'] = leaving(100),
  rest: Partial<Customer> = {},
): Story {
  return {
    name,
    begins,
    play: (stage, now) => {
      signUp(stage, now, { ...shape(stage, now), behaviour: steady() }, rest)
    },
  }
}

const one =
  (key: string, quantity = 1): Shape =>
  (stage) => ({ items: [{ price: priceOf(stage, key), quantity }] })

/** Midday on the last day of a 31-day month in the first part of the span. */
const onThe31st: Story['begins'] = ({ start, random }) => {
  const date = new Date(start * 1000)
  const offset = random.int(0, 11)
  let day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + offset, 31, 12))
  while (day.getUTCDate() !== 31)
    day = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 31, 12))
  return day.getTime() / 1000 + random.int(0, 3000)
}

const twoMonthsBefore = (now: number): number => addMonths(now, -2) - 3 * daySeconds

export const priceStories: Story[] = [
  buying('graduated tiers', one('storage', 23)),
  buying('graduated, one tier', one('storage', 4)),
  buying('volume tiers, low', one('contacts', 9)),
  buying('volume tiers, high', (stage) => ({ ...one('contacts', 40)(stage, 0), mode: 'included' })),
  buying('packages', one('messages', 1050)),
  buying('fractions of a cent', one('sensors', 480)),
  buying('every quarter', one('team-quarter', 9), early),
  buying('every two years', one('scale-2-years'), early),
  buying('every week', one('newsletter-week', 3), leaving(120)),
  buying('on the 31st', one('business'), onThe31st),
  buying('on the 31st, yearly', one('legacy-year'), onThe31st),
  buying('archived price', one('legacy')),
  buying('inline price', (stage, now) => ({ items: [{ price: dealPrice(stage, 'scale', '123400', now) }] })),
  buying(
    'inline price, lately',
    (stage, now) => ({
      items: [{ price: dealPrice(stage, 'team', '777', now), quantity: 9 }],
      mode: 'itemized',
    }),
    daysBefore(9),
  ),
  buying('metered add-on', (stage) => ({
    items: [{ price: priceOf(stage, 'business') }, { price: priceOf(stage, 'api') }],
  })),
  buying('metered alone', one('api')),
  buying(
    'euro, tax on top',
    (stage) => ({ ...one('business-eur')(stage, 0), taxRate: taxRateOf(stage, 'vat') }),
    undefined,
    {
      country: 'DE',
    },
  ),
  buying(
    'euro, tax inside',
    (stage) => ({ ...one('team-eur', 11)(stage, 0), taxRate: taxRateOf(stage, 'moms') }),
    undefined,
    {
      country: 'DK',
    },
  ),
  buying('euro, yearly', one('business-eur-year'), early, { country: 'FR' }),
  buying(
    'yen, tax inside',
    (stage) => ({ ...one('business-jpy')(stage, 0), taxRate: taxRateOf(stage, 'jct') }),
    undefined,
    {
      country: 'JP',
    },
  ),
  buying('yen, yearly', one('business-jpy-year'), early, { country: 'JP' }),
  buying('sales tax and a coupon', (stage) => ({
    ...one('business')(stage, 0),
    taxRate: taxRateOf(stage, 'sales'),
    coupon: 'PARTNER10',
  })),
  buying('mixed intervals', (stage) => ({
    items: [
      { price: priceOf(stage, 'support-quarter') },
      { price: priceOf(stage, 'retention'), quantity: 2 },
    ],
    mode: 'included',
  })),
  buying('twelve items', (stage, now) => ({
    items: Array.from({ length: 12 }, (_, n) => ({
      price: dealPrice(stage, 'retention', String(1000 + 100 * n), now),
    })),
    mode: 'itemized',
  })),
  buying('first of the month', (stage, now) => {
    const midnight = now - (now % daySeconds)
    const first = addMonths(midnight - (new Date(midnight * 1000).getUTCDate() - 1) * daySeconds, 1)
    return { ...one('team', 6)(stage, now), anchor: first }
  }),
  buying('backdated, flexible', (stage, now) => ({
    ...one('business')(stage, 0),
    mode: 'included',
    startDate: twoMonthsBefore(now),
  })),
  buying('backdated, classic', (stage, now) => ({
    ...one('team', 5)(stage, 0),
    startDate: twoMonthsBefore(now),
  })),
  {
    name: 'every day, for six weeks',
    begins: leaving(20),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'newsletter-day') }]
      const subscription = signUp(stage, now, { items, behaviour: steady() })
      stage.books.agenda.add(now + 42 * daySeconds + 5000 * 3, (at) => {
        endSubscription(stage.books, subscription, at, 'cancellation_requested')
      })
    },
  },
  {
    name: 'one-off charges now and then',
    begins: leaving(150),
    play: (stage, now) => {
      const workshop = priceOf(stage, 'onboarding')
      const behaviour = steady((subscription, period, at) => {
        if (period % 3 !== 1) return
        const id = stage.books.newId('ii')
        subscription.pending.push(oneOffLine(subscription, workshop, 25_000, id, at))
      })
      signUp(stage, now, { items: [{ price: priceOf(stage, 'scale') }], behaviour })
    },
  },
]
