import { randomUUID } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import pg from 'pg'
import { addVerifiedUser } from '#server/store/accounts/users.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { openDatabase } from '#server/store/postgres/database.ts'
import { type BenchCall, callsOf } from './calls.ts'
import { fillOrganization, type Size } from './fill.ts'

export type Entered = { cookie: string; calls: BenchCall[] }

/** Adds a person, fills an organization for them, and opens it in their session. */
export async function enter(
  address: string,
  databaseUrl: string,
  name: string,
  size: Size,
): Promise<Entered> {
  const person = { name, email: `${name}@bench.example`, password: randomUUID() }
  const post = (path: string, body: object) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify(body),
    })
  const database = openDatabase({
    url: await applicationUrl(databaseUrl),
    poolSize: 1,
    statementTimeoutMs: 60_000,
    onError: () => {},
  })
  await addVerifiedUser(database, { ...person, passwordHash: await hashPassword(person.password) })
  await database.destroy()
  const { organizationId } = await fillOrganization(databaseUrl, name, size)
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  await client.query(
    `insert into member ("organizationId", "userId", role, "createdAt")
     select $1, id, 'owner', now() from "user" where email = $2`,
    [organizationId, person.email],
  )
  const { email, password } = person
  const signedIn = await post('/api/identity/sign-in/email', { email, password })
  if (!signedIn.ok) throw new Error(`the sign-in was answered ${signedIn.status}`)
  await client.query(
    `update session set "activeOrganizationId" = $1 where "userId" = (select id from "user" where email = $2)`,
    [String(organizationId), person.email],
  )
  await client.end()
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return {
    cookie,
    calls: callsOf({ subscriptions: size.customers, events: size.customers * size.eventsEach }),
  }
}
