import type { CompanyCandidate, MatchEvidence } from '#domain/company.ts'
import { groupByCompany } from '#domain/company-groups.ts'
import { companyBaseName } from '#domain/company-name.ts'
import type { Deps } from '../../../deps.ts'
import type { CrmAccess } from '../../../providers/crm-directory.ts'
import { listCompaniesNamedLike, listContactsByEmail } from '../../../store/crm/crm-index.ts'
import { type DecidableMatch, lockDecidable } from '../../../store/matches/match-decisions.ts'
import { listRulesOf } from '../../../store/matches/match-rules.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'
import { readAddress } from '../../addresses/read-address.ts'
import { withCrm } from '../../crm/with-crm.ts'
import { keepCompanies } from '../../erasure/keep-index.ts'
import { tieLonely } from '../tie-contacts.ts'
import { createOrFind, type MadeCompany, type WantedCompany } from './create-or-find.ts'
import {
  changedMeanwhile,
  decideEach,
  doneText,
  type Reviewed,
  type Reviewer,
  unknownCustomer,
} from './decide-each.ts'

type Wanted = { customerId: string; companyName: string }
/** What we know of a customer before its company is created. */
type Prepared = Wanted & {
  match: DecidableMatch
  evidence: MatchEvidence | null
  domain: string | null
  contactId: string | null
}

/**
 * Creates companies for customers and links each. Customers of one domain get one company. A second click, or a retry
 * after a crash, finds the first company and does not change it.
 */
export function createCompaniesFor(
  deps: Deps,
  organizationId: number,
  wanted: readonly Wanted[],
  {
    by,
    isOpen,
    isNameSearched,
  }: {
    by: Reviewer
    /** Whether a customer may get a company; asked again after the company was created. */
    isOpen: (match: DecidableMatch) => boolean
    /** Whether a person saw which companies have such names. */
    isNameSearched: boolean
  },
): Promise<Reviewed> {
  return withCrm(deps, organizationId, async ({ access }) => {
    const { portalId } = access
    const known = await inOrganization(deps.database, organizationId, (tenant) =>
      prepare(tenant, portalId, wanted),
    )
    const open = known.filter(({ match }) => isOpen(match))
    const namesakes = isNameSearched
      ? new Map<string, MadeCompany>()
      : await inOrganization(deps.database, organizationId, (tenant) =>
          refuseNamesakes(deps, tenant, portalId, open),
        )
    const free = open.filter(({ customerId }) => !namesakes.has(customerId))
    const made = new Map([...namesakes, ...(free.length === 0 ? [] : await create(deps, access, free))])
    await tieContacts(deps, access, organizationId, free, made)
    return inOrganization(deps.database, organizationId, async (tenant) => {
      const companies = [...made.values()].flatMap((one) => ('company' in one ? [one.company] : []))
      await keepCompanies(tenant, { deps, portalId, at: deps.now() }, companies)
      const ids = wanted.map(({ customerId }) => customerId)
      const place = { portalId, action: 'created', by } as const
      const reviewed = await decideEach(deps, tenant, place, ids, (match) => {
        const one = made.get(match.customerId)
        if (!isOpen(match)) return { refusal: `${changedMeanwhile(match)}${leftText(deps, one)}` }
        if (one === undefined) return { refusal: unknownCustomer }
        if ('refusal' in one) return one
        return { state: 'linked', evidence: 'person', company: one.company }
      })
      return {
        ...reviewed,
        outcomes: reviewed.outcomes.map((outcome) => sayFound(deps, outcome, made, reviewed.effect)),
      }
    })
  })
}

/**
 * The customers whose name a company already has, whatever legal form is at its end. Companies that were created for these
 * customers are found by their keys.
 */
async function refuseNamesakes(
  { crm }: Deps,
  tenant: Tenant,
  portalId: string,
  open: readonly Prepared[],
): Promise<Map<string, MadeCompany>> {
  const beginnings = open.flatMap(({ companyName }) => [
    companyBaseName(companyName),
    companyName.toLowerCase(),
  ])
  const ids = new Set(open.map(({ customerId }) => customerId))
  const isOurs = ({ createdFor }: CompanyCandidate) => ids.has(createdFor?.split('/')[0] ?? '')
  const others = await listCompaniesNamedLike(tenant, portalId, [...new Set(beginnings)])
  const names = new Map(
    others.flatMap((other) =>
      other.name === null || isOurs(other) ? [] : [[companyBaseName(other.name), other.name]],
    ),
  )
  return new Map(
    open.flatMap(({ customerId, companyName }) => {
      const name = names.get(companyBaseName(companyName))
      if (name === undefined) return []
      const cure = 'Open the customer to choose it, or to create another one.'
      return [[customerId, { refusal: `${crm.name} has a company named "${name}". ${cure}` }]]
    }),
  )
}

/** Says that a company is there although its customer did not get it; nobody else could know. */
function leftText({ crm }: Deps, one: MadeCompany | undefined): string {
  if (one === undefined || 'refusal' in one || one.isFound) return ''
  return ` ${one.company.name} was created and stays in ${crm.name}; delete it there if nobody needs it.`
}

type Outcome = Reviewed['outcomes'][number]

function sayFound(
  deps: Deps,
  outcome: Outcome,
  made: ReadonlyMap<string, MadeCompany>,
  effect: string,
): Outcome {
  const one = made.get(outcome.customerId)
  if (!outcome.isDone || one === undefined || !('company' in one) || !one.isFound) return outcome
  const found = `${deps.crm.name} had a company that was created for this customer before; it was left as it is.`
  return { ...outcome, message: `${found} ${doneText('attached', one.company, effect)}` }
}

/** Creates a company for the first customer of each group, which the others of the group share. */
async function create(
  deps: Deps,
  access: CrmAccess,
  open: readonly Prepared[],
): Promise<Map<string, MadeCompany>> {
  const groups = groupByCompany(open)
  const wanted = groups.flatMap(([first]): WantedCompany[] =>
    first === undefined ? [] : [{ key: first.customerId, domain: first.domain, name: first.companyName }],
  )
  await deps.crm.ensureCompanyKey(access)
  const made = await createOrFind(deps, access, wanted)
  return new Map(
    groups.flatMap((group) =>
      group.flatMap(({ customerId }): [string, MadeCompany][] => {
        const company = made.get(group[0]?.customerId ?? '')
        return company === undefined ? [] : [[customerId, company]]
      }),
    ),
  )
}

/** A contact of ours without a company goes to the one that was just created for it. */
async function tieContacts(
  deps: Deps,
  access: CrmAccess,
  organizationId: number,
  open: readonly Prepared[],
  made: ReadonlyMap<string, MadeCompany>,
): Promise<void> {
  const pairs = open.flatMap(({ customerId, contactId }) => {
    const one = made.get(customerId)
    if (contactId === null || one === undefined || 'refusal' in one) return []
    return [{ customerId, contactId, companyId: one.company.recordId }]
  })
  const report = () =>
    deps.log.warn({ organizationId }, 'a contact was not tied to the company created for it')
  await tieLonely({ deps, access, report }, pairs)
}

/** The customers, each with its contact and the domain for its company. A shared domain is not used for a company. */
async function prepare(tenant: Tenant, portalId: string, wanted: readonly Wanted[]): Promise<Prepared[]> {
  const ids = wanted.map(({ customerId }) => customerId)
  const known = await lockDecidable(tenant, portalId, ids)
  const addresses = new Map([...known].map(([id, { email }]) => [id, readAddress(email)]))
  const domains = [...addresses.values()].flatMap(({ registrableDomain }) => registrableDomain ?? [])
  const rules = await listRulesOf(tenant, portalId, [...new Set(domains)])
  const never = new Set(rules.flatMap(({ kind, domain }) => (kind === 'never' ? [domain] : [])))
  const emails = [...addresses.values()].flatMap(({ email }) => email ?? [])
  const contacts = await listContactsByEmail(tenant, portalId, [...new Set(emails)])
  return wanted.flatMap((one): Prepared[] => {
    const match = known.get(one.customerId)
    const address = addresses.get(one.customerId)
    if (match === undefined || address === undefined) return []
    const { email, registrableDomain } = address
    const contact = contacts.find(({ emails: held }) => email !== null && held.includes(email))
    const domain = registrableDomain !== null && never.has(registrableDomain) ? null : registrableDomain
    return [
      {
        ...one,
        match,
        evidence: match.evidence,
        domain,
        contactId: match.contactRecordId ?? contact?.recordId ?? null,
      },
    ]
  })
}
