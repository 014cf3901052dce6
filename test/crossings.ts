import { run as query } from './database.ts'
import { reportLeak } from './leaks.ts'

/** Searches answers for data of an organization that the caller has no connection to. */
export type Crossings = {
  /** Must receive every answer of the product. */
  note(request: Request, answer: Response): Promise<void>
  /** Compares the answers with the database; returns the number of words that belong to organizations. */
  search(): Promise<number>
}

type Caller = { id: number; email: string }
type Told = { caller: Caller | null; words: Map<string, string> }

/** Everyone's mail in the simulated mode, what operators may read, and an invitation, which its secret opens. */
const forAll = /^\/(outbox$|api\/operator\/|api\/identity\/organization\/invitation$)/
/** Ids, addresses, tokens: words long enough to be unique. */
const wordShape = /[\w@.+-]{8,}/g

/**
 * Records what each caller was told in any test. In the end it reports every word that only one organization has, if its
 * reader is and was no member of it and was never invited.
 */
export function watchCrossings(ownerUrl: string): Crossings {
  const callers = new Map<string, Caller | null>()
  const told = new Map<string, Told>()
  const find = async (token: string): Promise<Caller | null> => {
    const known = callers.get(token)
    if (known !== undefined) return known
    const text = `select u.id, u.email from session s join "user" u on u.id = s."userId" where s.token = $1`
    const [found = null] = await query<Caller>(ownerUrl, text, [token])
    callers.set(token, found)
    return found
  }
  return {
    async note(request, answer) {
      const { pathname } = new URL(request.url)
      const token =
        tokenOf(answer.headers.getSetCookie().join()) ?? tokenOf(request.headers.get('cookie') ?? '')
      // Looked up at once, because the next request may end the session.
      const caller = token === null ? null : await find(token)
      if (forAll.test(pathname) || answer.body === null) return
      const key = String(caller?.id)
      const { words } = told.get(key) ?? { words: new Map<string, string>() }
      told.set(key, { caller, words })
      for (const [word] of (await answer.clone().text()).matchAll(wordShape)) {
        if (!words.has(word)) words.set(word.replace(/[.-]+$/, ''), `${request.method} ${pathname}`)
      }
    },
    async search() {
      const [owners, relations] = [await listWords(ownerUrl), await listRelations(ownerUrl)]
      for (const { caller, words } of told.values()) {
        const own = new Set(
          relations
            .filter(({ id, email }) => caller && (id === caller.id || email === caller.email))
            .map(({ organization }) => organization),
        )
        for (const [word, place] of words) {
          const owner = owners.get(word)
          if (owner === undefined || own.has(owner)) continue
          reportLeak(
            `a word of organization ${owner} told to ${caller?.email ?? 'a stranger'} in answer: ${place}`,
          )
        }
      }
      return owners.size
    },
  }
}

function tokenOf(cookies: string): string | null {
  const value = /session_token=([^;,]+)/.exec(cookies)?.[1]
  return value === undefined ? null : (decodeURIComponent(value).split('.')[0] ?? null)
}

/** Words that occur in only one organization, with its number. */
async function listWords(ownerUrl: string): Promise<Map<string, number>> {
  const rows = await query<{ word: string; organization: number }>(
    ownerUrl,
    `select word, min(organization) as organization from (
       select organization_id as organization, id as word from customers
       union all select organization_id, email from customers
       union all select organization_id, id from subscriptions
       union all select organization_id, id from invoices
       union all select organization_id, id from events
       union all select organization_id, id::text from runs
       union all select organization_id, token from webhook_addresses
       union all select "organizationId", token from invitation
       union all select "organizationId", email from invitation
       union all select organization_id, actor_email from audit_log
       union all select m."organizationId", u.email from member m join "user" u on u.id = m."userId"
     ) words where length(word) >= 8 group by word having count(distinct organization) = 1`,
  )
  return new Map(rows.map(({ word, organization }) => [word, organization]))
}

/** The people who are or were connected to each organization. */
function listRelations(ownerUrl: string) {
  return query<{ id: number | null; email: string | null; organization: number }>(
    ownerUrl,
    `select "userId" as id, null as email, "organizationId" as organization from member
     union select null, email, "organizationId" from invitation
     union select actor_user_id, null, organization_id from audit_log where actor_user_id is not null`,
  )
}
