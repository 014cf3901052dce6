import type { Hono } from 'hono'
import { requireScope, type SimulatorEnv } from '../caller.ts'
import type { PortalRate } from '../entities.ts'
import { openAnswersOf } from '../open-answers.ts'
import { ratesOf } from './portal-rates.ts'

const defaultLimit = 100
/** HubSpot rounds what has more. */
const rateDigits = 6

/**
 * Every dated exchange rate, past ones too, in pages. Source: currencies guide; whether rates are numbers or texts is not
 * settled there.
 */
export function serveCurrencies(app: Hono<SimulatorEnv>): void {
  app.get('/settings/currencies/2026-09/exchange-rates', (c) => {
    const caller = c.get('caller')
    requireScope(caller, 'settings.currencies.read')
    const isText = openAnswersOf(caller.portal).exchangeRates === 'texts'
    const [from, to] = [c.req.query('fromCurrencyCode'), c.req.query('toCurrencyCode')]
    const rates = ratesOf(caller.portal).filter(
      (rate) => (from === undefined || rate.from === from) && (to === undefined || rate.to === to),
    )
    const start = Number(c.req.query('after') ?? 0)
    const end = start + Number(c.req.query('limit') ?? defaultLimit)
    const results = rates.slice(start, end).map((rate, index) => rateAnswer(rate, start + index, isText))
    return c.json({ results, ...(end < rates.length && { paging: { next: { after: String(end) } } }) })
  })
}

function rateAnswer({ from, to, rate, effectiveAt }: PortalRate, index: number, isText: boolean) {
  const at = isText ? String(effectiveAt) : new Date(effectiveAt).toISOString()
  return {
    id: String(index + 1),
    fromCurrencyCode: from,
    toCurrencyCode: to,
    conversionRate: isText ? rate.toFixed(rateDigits) : Number(rate.toFixed(rateDigits)),
    effectiveAt: at,
    createdAt: at,
    updatedAt: at,
    visibleInUI: true,
  }
}
