import { paths } from '../../paths.ts'

type Explained = {
  /** The word as it stands on the screen of all terms. */
  title: string
  /** One plain sentence. */
  text: string
  /** The rules of MRR behind it. */
  rules?: readonly string[]
  /** Where a person changes what it is about. */
  way?: { to: string; label: string }
}

/** Every word that screens explain, in the order of the screen of terms. A key is also its place in the address there. */
export const terms = {
  mrr: {
    title: 'MRR',
    text: 'Monthly recurring revenue: what all subscriptions bring in a normal month, after discounts and without tax.',
    rules: ['R1', 'R7', 'R9', 'R14', 'R16', 'R17', 'R38'],
  },
  arr: {
    title: 'ARR',
    text: 'Annual recurring revenue: 12 times the current MRR.',
  },
  averageRevenue: {
    title: 'Avg Revenue Per Customer',
    text: 'Current MRR divided by the number of active subscriptions, so a customer with two of them counts twice.',
  },
  eventType: {
    title: 'Event type',
    text: 'What happened to the MRR of a subscription: New, Reactivation, Upgrade, Downgrade or Churn; a Planned Cancellation moves nothing yet.',
    rules: ['R19', 'R20', 'R21'],
  },
  netNew: {
    title: 'Net new MRR',
    text: 'New, Reactivation and Upgrade less Downgrade and Churn; exchange rates are left out.',
  },
  new: {
    title: 'New',
    text: 'MRR of a subscription that brings revenue for the first time.',
    rules: ['R10', 'R15', 'R32'],
  },
  reactivation: {
    title: 'Reactivation',
    text: 'MRR of a customer who paid before and pays again, after a time without revenue or in a new subscription within a day.',
    rules: ['R22', 'R35'],
  },
  upgrade: {
    title: 'Upgrade',
    text: 'MRR that a paying subscription gains by a plan, price, quantity or discount.',
    rules: ['R6', 'R19', 'R31'],
  },
  downgrade: {
    title: 'Downgrade',
    text: 'MRR that a subscription loses while it goes on.',
    rules: ['R6', 'R19', 'R31'],
  },
  churn: {
    title: 'Churn',
    text: 'All the MRR of a subscription that ended or brings nothing from now on.',
    rules: ['R11', 'R18'],
  },
  invoiceAmount: {
    title: 'Amount of an invoice',
    text: 'The lines of the invoice less its discounts, without tax that is added on top.',
    rules: ['R9'],
  },
  plannedCancellation: {
    title: 'Planned cancellation',
    text: 'The subscription is set to end on a later day; its MRR counts until then.',
    rules: ['R30'],
  },
  nrr: {
    title: 'NRR',
    text: 'Net revenue retention: how much of the MRR of earlier customers is there now, with what they pay on top.',
  },
  grr: {
    title: 'GRR',
    text: 'Gross revenue retention: how much of the MRR of earlier customers is still there, each counted up to what it paid before.',
  },
  notIncluded: {
    title: 'Not included',
    text: 'MRR without an exchange rate stands beside the total until an owner or admin adds rates under Account, Organization.',
    rules: ['R34'],
    way: { to: paths.exchangeRates, label: 'Exchange rates of the organization' },
  },
  asBooked: {
    title: 'As booked',
    text: 'Each increase keeps the exchange rate of its day, so exchange rates move nothing.',
  },
  revalued: {
    title: 'Revalued',
    text: 'All MRR is at the exchange rate of the day, so it moves with the rates.',
  },
  exchangeRates: {
    title: 'Exchange rates',
    text: 'What exchange rates alone did to revalued MRR; no event stands for it.',
  },
  matched: {
    title: 'Matched',
    text: 'MRR is matched when its customer is attached to a company in HubSpot.',
  },
  autoCreate: {
    title: 'Auto-create',
    text: 'The next sync creates the contact or company that a customer lacks in HubSpot, and never writes over one that is there.',
  },
} as const satisfies Record<string, Explained>

export type TermName = keyof typeof terms

/** What a word means, and where it leads. */
export const explained = (name: TermName): Explained => terms[name]

/** All terms with their keys. */
export const allTerms: readonly (Explained & { name: TermName })[] = Object.entries<Explained>(terms).map(
  ([name, term]) => ({ name: name as TermName, ...term }),
)
