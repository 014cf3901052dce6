import type { Person } from '#test/harness.ts'

type Answer = { status: number; body: { address: string; error?: { message: string } } }

/** Saves the signing secret of an organization's webhook; null ends its webhooks. */
export async function saveSecret(by: Person, signingSecret: string | null): Promise<Answer> {
  const answer = await by.fetch('/api/stripe/webhook', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signingSecret }),
  })
  return { status: answer.status, body: await answer.json() }
}
