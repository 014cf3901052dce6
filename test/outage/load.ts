import { run } from '../database.ts'
import type { OutageProduct } from './product.ts'
import type { VisitorAnswer } from './visitor.ts'

/** The log line of a failed request, or its answer. */
export function whyOf({ server }: OutageProduct, { body }: VisitorAnswer): string {
  const text = JSON.stringify(body)
  const id = /Reference: ([\w-]+)/.exec(text)?.[1]
  const line =
    id &&
    server
      .output()
      .split('\n')
      .find((one) => one.includes(id) && one.includes('request failed'))
  return (line || text).slice(0, 1_500)
}

/** What a steady load observed. */
export type LoadReport = {
  answers: number
  /** Answers that are neither right nor a 503 with Retry-After, and requests without an answer. */
  wrong: string[]
  refused: number
  /** Acknowledged changes; each concerns a single invitation. */
  acknowledged: { invited: string[]; cancelled: string[]; autoCreateContacts: boolean | null }
}

/** Six parallel callers as one person make at most 80 calls a second on any machine: more would be refused. */
const pauseMs = 75

/**
 * Reads and writes one after the other without end, and repeats each change until it is acknowledged. `stop` ends this
 * once the pending requests are answered.
 */
export function startLoad(product: OutageProduct): { stop(): Promise<LoadReport> } {
  const report: LoadReport = {
    answers: 0,
    wrong: [],
    refused: 0,
    acknowledged: { invited: [], cancelled: [], autoCreateContacts: null },
  }
  let isOver = false
  const ask = async (
    what: string,
    isRight: (answer: VisitorAnswer) => boolean,
    body?: object,
    method?: string,
  ) => {
    const answer = await product.visit(what, body, method).catch((error: Error) => error)
    report.answers += 1
    if (answer instanceof Error) {
      report.wrong.push(`${what}: ${answer.cause ?? answer.message}`)
      return null
    }
    if (answer.status === 503 && Number(answer.retryAfter) > 0) report.refused += 1
    else if (!isRight(answer)) report.wrong.push(`${what}: ${answer.status} ${whyOf(product, answer)}`)
    await new Promise((next) => setTimeout(next, pauseMs))
    return answer
  }
  /** Repeats until it is acknowledged, even when the load is over: one whose answer was lost may be stored all the same. */
  const insistOn = async (what: string, right: readonly number[], body: object, method = 'POST') => {
    for (;;) {
      const answer = await ask(what, ({ status }) => right.includes(status), body, method)
      if (answer !== null && right.includes(answer.status)) return answer
    }
  }
  const read = async (path: string, isRight: (answer: VisitorAnswer) => boolean) => {
    while (!isOver) await ask(path, (answer) => answer.status === 200 && isRight(answer))
  }
  const invite = async (writer: string) => {
    for (let number = 0; !isOver; number += 1) {
      const email = `${writer}-${number}@guests.example`
      const invited = await insistOn('/api/identity/organization/invite-member', [200], {
        email,
        role: 'member',
      })
      report.acknowledged.invited.push(email)
      const body = { invitationId: invited.body['id'] }
      // 404 if an earlier try succeeded and its answer was lost.
      await insistOn('/api/identity/organization/cancel-invitation', [200, 404], body)
      report.acknowledged.cancelled.push(email)
    }
  }
  const set = async () => {
    for (let wanted = true; !isOver; wanted = !wanted) {
      const body = { syncSettings: { autoCreateContacts: wanted } }
      await insistOn('/api/settings/sync', [200], body, 'PUT')
      report.acknowledged.autoCreateContacts = wanted
    }
  }
  const going = [
    read('/api/auth/current-user', ({ body }) => body['email'] === 'pat@harbour.example'),
    read('/api/identity/organization/members', ({ body }) => Array.isArray(body['members'])),
    read('/api/stripe/transactions?limit=10', ({ body }) => Array.isArray(body['transactions'])),
    read('/healthz', () => true),
    invite('a'),
    invite('b'),
    set(),
  ]
  return {
    async stop() {
      isOver = true
      await Promise.all(going)
      return report
    },
  }
}

/** Acknowledged changes that are missing, and changes that are stored only in part, in words. */
export async function findLosses(
  ownerUrl: string,
  { acknowledged }: Pick<LoadReport, 'acknowledged'>,
): Promise<string[]> {
  const rows = await run<{ email: string; status: string; invited: number; cancelled: number }>(
    ownerUrl,
    `select i.email, i.status,
            (select count(*)::int from audit_log a
              where a.action = 'member_invited' and a.subject = i.email || ' (member)') as invited,
            (select count(*)::int from audit_log a
              where a.action = 'invitation_cancelled' and a.subject = i.email) as cancelled
       from invitation i`,
  )
  const found = new Map(rows.map((row) => [row.email, row]))
  const audited = await run<{ subject: string }>(
    ownerUrl,
    `select distinct subject from audit_log where action = 'member_invited'`,
  )
  return [
    ...acknowledged.invited.filter((email) => !found.has(email)).map((email) => `${email} is lost`),
    ...acknowledged.cancelled
      .filter((email) => found.get(email)?.status !== 'canceled')
      .map((email) => `${email} is not cancelled`),
    ...rows
      .filter(
        ({ status, invited, cancelled }) => invited < 1 || cancelled !== (status === 'canceled' ? 1 : 0),
      )
      .map((row) => `half written: ${JSON.stringify(row)}`),
    ...audited
      .filter(({ subject }) => !found.has(subject.replace(' (member)', '')))
      .map(({ subject }) => `${subject} is in the activity log alone`),
  ]
}
