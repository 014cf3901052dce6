import { type AskProvider, at, type Finding, listAt, tally, verdict } from './ask.ts'
import { readStripeAccount, type StripeAccount } from './stripe-account.ts'
import { askLines } from './stripe-lines.ts'

/** Lists that the probe's key may lack; each is read with one object. */
const lists = ['coupons', 'events', 'charges', 'payouts', 'balance_transactions']

/** All questions to Stripe, by GET requests only. `key` decides only whether a refusal can be looked for. */
export async function askStripe(ask: AskProvider, key: string): Promise<Finding[]> {
  const account = await readStripeAccount(ask)
  return [
    ...askLines(account),
    trialFinding(account),
    customerAccountFinding(account),
    key.startsWith('rk_') ? await refusalFinding(ask) : noRefusal,
    rateHeaderFinding(account),
  ]
}

/** A coupon for one invoice: does the invoice of 0 that starts a trial use it up? */
function trialFinding({ invoices }: StripeAccount): Finding {
  const bySubscription = Map.groupBy(invoices, (invoice) =>
    String(at(invoice, 'parent', 'subscription_details', 'subscription') ?? ''),
  )
  const words = [...bySubscription].flatMap(([subscription, newestFirst]) => {
    const [first, ...later] = newestFirst.toReversed()
    if (subscription === '' || !isTrialInvoice(first)) return []
    const paid = later.find((invoice) => Number(at(invoice, 'subtotal')) > 0)
    const isAtTrial = hasOnceCoupon(first)
    const isPaidLess = paid !== undefined && hasOnceCoupon(paid)
    if (isPaidLess) return [isAtTrial ? 'on both invoices' : 'kept for the first paid invoice']
    return isAtTrial && paid !== undefined ? ['used up by the trial'] : []
  })
  return {
    question: 'What becomes of a coupon for one invoice at a trial?',
    answer: verdict(words),
    evidence: `${words.length} trials with such a coupon: ${tally(words) || 'none'}`,
  }
}

function isTrialInvoice(invoice: unknown): boolean {
  const lines = listAt(invoice, 'lines', 'data')
  const isOfZero = lines.length > 0 && lines.every((line) => Number(at(line, 'amount')) === 0)
  return at(invoice, 'billing_reason') === 'subscription_create' && isOfZero
}

function hasOnceCoupon(invoice: unknown): boolean {
  return listAt(invoice, 'discounts').some(
    (discount) => at(discount, 'source', 'coupon', 'duration') === 'once',
  )
}

function customerAccountFinding({ customers, subscriptions, invoices }: StripeAccount): Finding {
  const words = [...customers, ...subscriptions, ...invoices].map((object) => {
    const value = at(object, 'customer_account')
    if (value === undefined) return 'absent'
    return value === null ? 'null' : String(value).startsWith('acct_') ? 'an account' : 'something else'
  })
  const isUsed = words.includes('an account')
  return {
    question: 'What does customer_account hold?',
    answer: isUsed ? 'an account, of some' : verdict(words),
    evidence: `${words.length} customers, subscriptions and invoices: ${tally(words)}`,
  }
}

const refusalQuestion = 'What does a key without a permission answer?'
const noRefusal: Finding = {
  question: refusalQuestion,
  answer: 'not asked',
  evidence: 'a secret key lacks no permission; use a restricted one',
}

async function refusalFinding(ask: AskProvider): Promise<Finding> {
  for (const list of lists) {
    const path = `/v1/${list}?limit=1`
    const { status, body } = await ask('GET', path)
    if (status !== 403) continue
    const message = String(at(body, 'error', 'message'))
    const told = [
      `type ${String(at(body, 'error', 'type'))}`,
      at(body, 'error', 'code') === undefined ? 'no code' : `code ${String(at(body, 'error', 'code'))}`,
      /'[a-z_]+_(?:read|write)'/.test(message) ? 'names the permission' : 'names no permission',
      /\bacct_/.test(message) ? 'names the account' : 'names no account',
    ]
    return { question: refusalQuestion, answer: `${status}, ${told.join(', ')}`, evidence: `GET ${path}` }
  }
  return {
    question: refusalQuestion,
    answer: 'not seen',
    evidence: `the key may read ${lists.length} lists that were tried`,
  }
}

function rateHeaderFinding({ headerNames }: StripeAccount): Finding {
  const found = headerNames.filter((name) => /rate|limit|retry|quota/.test(name))
  return {
    question: 'Does an ordinary answer tell how many requests are left?',
    answer: found.length === 0 ? 'no' : 'by headers',
    evidence: found.length === 0 ? `${headerNames.length} headers, none of that name` : found.join(', '),
  }
}
