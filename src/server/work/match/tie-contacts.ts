import { ProviderError } from '../../providers/provider-error.ts'
import type { Draft } from './decide-page.ts'
import type { MatchSession } from './session.ts'

type Pair = { customerId: string; contactId: string; companyId: string }

/** Associates contacts that have no company with the company that we created for their domain. */
export async function tieContacts(session: MatchSession, drafts: readonly Draft[]): Promise<void> {
  const pairs = drafts.flatMap(({ match, isCompanyOurs }): Pair[] => {
    const { customerId, contactRecordId, companyRecordId } = match
    if (!isCompanyOurs || contactRecordId === null || companyRecordId === null) return []
    return [{ customerId, contactId: contactRecordId, companyId: companyRecordId }]
  })
  await tieLonely(session, pairs)
}

/** Associates only contacts that have no company. May be repeated. */
export async function tieLonely(
  { deps, access, report }: Pick<MatchSession, 'deps' | 'access' | 'report'>,
  pairs: readonly Pair[],
): Promise<void> {
  if (pairs.length === 0) return
  const byContact = new Map(pairs.map((pair) => [pair.contactId, pair]))
  const tell = ({ customerId }: Pair, reason: string) =>
    report(customerId, `The contact was not tied to the company that was created for it: ${reason}`)
  try {
    const tied = await deps.crm.listCompaniesOfContacts(access, [...byContact.keys()])
    const lonely = [...byContact.values()].filter(({ contactId }) => !tied.get(contactId)?.length)
    if (lonely.length === 0) return
    const outcomes = await deps.crm.tieContacts(
      access,
      lonely.map(({ contactId, companyId }) => ({ fromId: contactId, toId: companyId })),
    )
    for (const outcome of outcomes) {
      const pair = byContact.get(outcome.fromId)
      if (pair && !outcome.isDone) tell(pair, outcome.message)
    }
  } catch (error) {
    const [first] = pairs
    if (!(first && error instanceof ProviderError && error.kind === 'forbidden')) throw error
    tell(first, error.message)
  }
}
