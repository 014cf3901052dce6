import { z } from 'zod'
import { decisionActions, matchEvidences, matchReasons, matchStates } from '#domain/company.ts'
import { endpoint } from './endpoint.ts'
import { cents, counted, currency, id, instant, limit, page, search, text } from './fields.ts'
import { otherCurrency } from './lists/match-figures.ts'

export const runMatching = endpoint({
  method: 'POST',
  path: '/api/matches/run',
  access: 'member',
  audit: 'matching_started',
  summary: 'Looks for the company and contact of every customer that has none yet.',
  response: z.object({ processed: z.int(), matched: z.int(), pendingMatchCount: z.int() }),
})

/** What tells a company from others of its name, as HubSpot had it when we last read it; null where it does not say. */
export const companyFacts = z.object({
  createdAt: instant.nullable(),
  contactCount: z.int().nullable(),
  dealCount: z.int().nullable(),
  /** When a call, an email, a note or the like was last logged for it. */
  lastActivityAt: instant.nullable(),
})
export type CandidateFacts = z.output<typeof companyFacts>

export const match = z.object({
  customerId: z.string(),
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  /** The registrable domain; null without an address, and when the domain says nothing about the company. */
  domain: z.string().nullable(),
  /** Says what a person has to correct in the address that Stripe has; null when nothing is known to be wrong. */
  emailProblem: z.string().nullable(),
  /** MRR in the reporting currency; the list is sorted by it. */
  currentMrr: cents,
  reportingCurrency: currency,
  otherCurrencies: z.array(otherCurrency),
  /** Counts the subscriptions whose MRR cannot be calculated. */
  uncountedSubscriptions: z.int(),
  /** Counts the subscriptions and events: the records in HubSpot that follow its company. */
  recordCount: z.int(),
  state: z.enum(matchStates),
  /** Its state and company. A decision that repeats it counts only while both are still so. */
  seen: z.string(),
  evidence: z.enum(matchEvidences),
  /** Who chose or unlinked the company; null if nobody did, or if it is unknown who did. */
  decidedBy: z.string().nullable(),
  companyName: z.string().nullable(),
  hubspotCompanyLink: z.string().nullable(),
  candidates: z.array(
    z.object({
      companyRecordId: z.string(),
      companyName: z.string().nullable(),
      /** The hosts that its record in HubSpot named when we last read it; none if it is no longer there. */
      domains: z.array(z.string()),
      facts: companyFacts,
      hubspotCompanyLink: z.string().nullable(),
      reasons: z.array(z.enum(matchReasons)),
    }),
  ),
  /** Says why the customer's contact is not created; null when nothing prevents it. */
  contactProblem: z.string().nullable(),
})
export type Match = z.output<typeof match>

export const listMatches = endpoint({
  method: 'GET',
  path: '/api/matches',
  access: 'member',
  summary: 'Customers that wait for review, are attached or are ignored, the highest MRR first.',
  query: z.strictObject({
    page,
    limit: limit(20),
    search,
    state: z.enum(matchStates).default('pending'),
    reason: z.enum(matchEvidences).optional(),
  }),
  response: z.object({ matches: z.array(match), ...counted }),
})

export const listMatchReasons = endpoint({
  method: 'GET',
  path: '/api/matches/reasons',
  access: 'member',
  summary: 'How many customers wait for review for each reason, most first. Looks at the first 1,000.',
  response: z.object({
    reasons: z.array(z.object({ reason: z.enum(matchEvidences), count: z.int() })),
    isCapped: z.boolean(),
  }),
})

export const searchHubspotCompanies = endpoint({
  method: 'GET',
  path: '/api/matches/companies',
  access: 'member',
  summary: 'Companies in HubSpot by name or domain.',
  query: z.strictObject({ query: text(200).refine((value) => value !== '', 'must not be empty') }),
  response: z.object({
    companies: z.array(
      z.object({
        companyRecordId: z.string(),
        companyName: z.string().nullable(),
        domains: z.array(z.string()),
        facts: companyFacts,
        hubspotCompanyLink: z.string().nullable(),
      }),
    ),
  }),
})

export const companyNameMax = 200
const companyName = text(companyNameMax).refine((value) => value !== '', 'must not be empty')

/** The `seen` of the match as the caller was shown it; whatever it is, where left out. */
const ifSeen = text(100).optional()

const ofCustomer = { access: 'member', params: z.strictObject({ customerId: id }) } as const
const decided = z.object({
  success: z.literal(true),
  message: z.string(),
  companyName: z.string().nullable(),
  /** Names the decision in its undo. */
  decisionId: z.string(),
})

const manyMax = 100
const areDistinct = (customers: readonly { customerId: string }[]) =>
  new Set(customers.map(({ customerId }) => customerId)).size === customers.length
const many = <Item extends z.ZodType<{ customerId: string }>>(item: Item) =>
  z.array(item).min(1).max(manyMax).refine(areDistinct, 'names a customer twice')

/** One for each customer, in their order. */
const outcomes = z.array(
  z.object({ isDone: z.boolean(), message: z.string(), companyName: z.string().nullable() }),
)

export const decideMatches = endpoint({
  access: 'member',
  method: 'POST',
  path: '/api/matches/decisions',
  audit: 'match_decided',
  summary:
    'Accepts companies for customers that wait, creates companies for them or ignores them: up to 100 in one decision. A customer that no longer waits stays as it is.',
  body: z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('accept'),
      customers: many(z.strictObject({ customerId: id, companyRecordId: id })),
    }),
    z.strictObject({ action: z.literal('ignore'), customers: many(z.strictObject({ customerId: id })) }),
    z.strictObject({
      action: z.literal('create'),
      customers: many(z.strictObject({ customerId: id, companyName })),
      /** A person saw what a search for the names finds. Else a customer is left alone whose name a company already has. */
      isNameSearched: z.boolean().default(false),
    }),
  ]),
  response: z.object({ decisionId: z.string().nullable(), message: z.string(), outcomes }),
})

export const listMatchDecisions = endpoint({
  access: 'member',
  method: 'GET',
  path: '/api/matches/decisions',
  summary: 'Decisions of the last 24 hours that can be undone, newest first, at most 20.',
  response: z.object({
    decisions: z.array(
      z.object({
        decisionId: z.string(),
        action: z.enum(decisionActions),
        decidedAt: instant,
        decidedBy: z.string().nullable(),
        customerCount: z.int(),
        customerNames: z.array(z.string()),
        /** Null if there is none, or not the same one for all. */
        companyName: z.string().nullable(),
      }),
    ),
  }),
})

export const undoMatchDecision = endpoint({
  access: 'member',
  method: 'POST',
  path: '/api/matches/decisions/undo',
  audit: 'match_undone',
  summary:
    'Undoes a decision of the last 24 hours for every customer that is still as it left them. Companies that it created stay in HubSpot. One that made a rule that says never is undone by owners and admins alone.',
  body: z.strictObject({ decisionId: id }),
  response: z.object({ message: z.string(), outcomes }),
})

export const linkMatch = endpoint({
  ...ofCustomer,
  method: 'POST',
  path: '/api/matches/{customerId}/link',
  audit: 'match_decided',
  summary:
    'Attaches a customer to a company; with alwaysForDomain all customers of its domain. A rule that says never gives way to owners and admins alone. With ifSeen, a customer about whom somebody decided since stays as it is.',
  body: z.strictObject({
    companyRecordId: id,
    alwaysForDomain: z.boolean().default(false),
    ifSeen,
  }),
  response: decided,
})

export const createMatchCompany = endpoint({
  ...ofCustomer,
  method: 'POST',
  path: '/api/matches/{customerId}/create',
  audit: 'match_decided',
  summary:
    'Creates a company in HubSpot and attaches the customer to it. A second call finds the first company.',
  body: z.strictObject({ companyName, ifSeen }),
  response: decided,
})

export const unlinkMatch = endpoint({
  ...ofCustomer,
  method: 'POST',
  path: '/api/matches/{customerId}/unlink',
  audit: 'match_decided',
  summary: 'Takes a customer off its company; every association moves with the next push.',
  body: z.strictObject({ ifSeen }).optional(),
  response: decided,
})

export const ignoreMatch = endpoint({
  ...ofCustomer,
  method: 'POST',
  path: '/api/matches/{customerId}/ignore',
  audit: 'match_decided',
  summary: 'Leaves a customer out of the review.',
  response: decided,
})

export const restoreMatch = endpoint({
  ...ofCustomer,
  method: 'POST',
  path: '/api/matches/{customerId}/restore',
  audit: 'match_decided',
  summary: 'Takes back that a customer is ignored.',
  response: decided,
})

export const listMatchRules = endpoint({
  method: 'GET',
  path: '/api/matches/rules',
  access: 'member',
  summary: 'What was decided for all customers of a domain.',
  response: z.object({
    rules: z.array(
      z.object({
        domain: z.string(),
        /** `always`: the domain means this company. `never`: the domain says nothing about the company. */
        kind: z.enum(['always', 'never']),
        companyName: z.string().nullable(),
        hubspotCompanyLink: z.string().nullable(),
        createdAt: instant,
        /** Null if the account is deleted, or if the rule is older than this field. */
        createdBy: z.string().nullable(),
      }),
    ),
  }),
})

export const saveMatchRule = endpoint({
  method: 'POST',
  path: '/api/matches/rules',
  audit: 'match_rule_made',
  access: 'member',
  summary:
    'Decides for all customers of a domain: always this company, or, with null, never by the domain. Never is made and replaced by owners and admins alone.',
  body: z.strictObject({
    domain: text(253),
    companyRecordId: id.nullable(),
    /** Attaches the customers that are with the company of the rule before, too. */
    movesAttached: z.boolean().default(false),
  }),
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    /** Names the decision in its undo; null if it has none. */
    decisionId: z.string().nullable(),
  }),
})

export const removeMatchRule = endpoint({
  method: 'POST',
  path: '/api/matches/rules/remove',
  audit: 'match_rule_removed',
  access: 'member',
  summary:
    'Forgets what was decided for a domain. What it attached stays. Never is removed by owners and admins alone.',
  body: z.strictObject({ domain: text(253) }),
  response: z.object({ success: z.literal(true), message: z.string() }),
})
