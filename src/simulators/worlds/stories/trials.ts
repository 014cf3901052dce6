import { planCancellation } from '../agreements/ending.ts'
import { daySeconds } from '../time/calendar.ts'
import { daysBefore, leaving, priceOf, type Story, signUp, steady } from './stage.ts'

export const trialStories: Story[] = [
  {
    name: 'trial converts',
    begins: leaving(60),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'business') }]
      signUp(stage, now, { items, trialDays: 14, behaviour: steady(), mode: 'included' })
    },
  },
  {
    name: 'trial canceled before its end',
    begins: leaving(60),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'team'), quantity: 5 }]
      const subscription = signUp(stage, now, { items, trialDays: 30, behaviour: steady() })
      stage.books.agenda.add(now + 9 * daySeconds, (at) =>
        planCancellation(stage.books, subscription, at, 'unused'),
      )
    },
  },
  {
    name: 'trial ends without a card, paused',
    begins: leaving(60),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'starter') }]
      signUp(stage, now, { items, trialDays: 7, onTrialEnd: 'pause', behaviour: steady(), mode: 'included' })
    },
  },
  {
    name: 'trial ends without a card, canceled',
    begins: leaving(60),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'starter') }]
      signUp(stage, now, { items, trialDays: 7, onTrialEnd: 'cancel', behaviour: steady() })
    },
  },
  {
    name: 'in trial now',
    begins: daysBefore(5),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'team'), quantity: 12 }]
      signUp(stage, now, { items, trialDays: 14, behaviour: steady(), mode: 'itemized' })
    },
  },
  {
    name: 'trial under a repeating coupon',
    begins: leaving(200),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'business') }]
      signUp(stage, now, { items, trialDays: 14, coupon: 'LAUNCH50-3M', behaviour: steady() })
    },
  },
]
