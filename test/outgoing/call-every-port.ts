/** A process of the product that calls each of its provider ports, and prints as JSON how each call ended. */
import { openProcess } from '#server/process.ts'
import { createIdentity } from '#server/providers/identity/create-identity.ts'

const { deps, close } = await openProcess({ name: 'ports', environment: process.env })
const identity = createIdentity(deps)
const { publicUrl } = deps.config

/** A call that has not ended after this time, given as the first argument, counts as failed. */
const withinMs = Number(process.argv[2])

const [stripe, hubspot, mail, signedIn] = await Promise.all([
  outcome(async () => {
    for (let question = 0; question < 3; question += 1) await pingStripe()
  }),
  outcome(() => deps.crm.getAccount({ portalId: '1', token: async () => 'a-token' } as never)),
  outcome(sendMail),
  outcome(signIn),
])
// Sends the traces that are left.
await close()
process.stdout.write(`\n${JSON.stringify({ stripe, hubspot, mail, signIn: signedIn })}\n`, () =>
  process.exit(0),
)

async function outcome(call: () => Promise<unknown>): Promise<string> {
  try {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error('no answer in time')), withinMs))
    return String((await Promise.race([call(), late])) ?? 'done')
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function pingStripe(): Promise<void> {
  await deps.payments
    .open('sk_test_far', { organizationId: 1, accountId: null, signal: undefined } as never)
    .ping()
}

async function sendMail(): Promise<void> {
  await deps.mail.send({ to: 'kim@harbour.example', subject: 'Hello', body: 'Hello', link: null })
  await deps.mail.deliver()
}

/** Goes through the hosted sign-in as a browser would, and returns where it ends. */
async function signIn(): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: publicUrl }
  const body = JSON.stringify({ provider: 'oidc', callbackURL: '/dashboard', errorCallbackURL: '/sign-in' })
  const begun = await identity.handle(
    new Request(`${publicUrl}/api/identity/sign-in/social`, { method: 'POST', headers, body }),
  )
  const own = cookiesOf(begun)
  const jar = new Map<string, string>()
  let address = String((await begun.json()).url)
  while (!address.startsWith(publicUrl)) {
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...jar.values()].join('; ') },
    })
    for (const pair of cookiesOf(answer)) jar.set(pair.split('=')[0] ?? '', pair)
    address = new URL(answer.headers.get('location') ?? '', address).href
  }
  const end = await identity.handle(new Request(address, { headers: { cookie: own.join('; ') } }))
  return end.headers.get('location') ?? String(end.status)
}

function cookiesOf(answer: Response): string[] {
  return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
}
