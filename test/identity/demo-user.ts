import { listMemberships } from '#server/store/accounts/organizations.ts'
import { addVerifiedUser, findUserByEmail } from '#server/store/accounts/users.ts'
import type { Database } from '#server/store/postgres/database.ts'
import { createOrganization } from '#server/work/organization/create-organization.ts'
import { hashOf } from './password-hash.ts'

export type DemoUser = { email: string; password: string; name: string; organizationName: string }

/** Creates the demo sign-in with its organization, or finds the existing one. */
export async function createDemoUser(
  { database }: { database: Database },
  demo: DemoUser,
): Promise<{ userId: number; organizationId: number }> {
  const email = demo.email.toLowerCase()
  const known = await findUserByEmail(database, email)
  const userId =
    known?.id ??
    (await addVerifiedUser(database, {
      email,
      name: demo.name,
      passwordHash: await hashOf(demo.password),
    }))
  const [membership] = await listMemberships(database, userId)
  if (membership !== undefined) return { userId, organizationId: membership.id }
  const created = await createOrganization(
    database,
    { userId, email, address: null, emailVerified: true },
    { name: demo.organizationName, slug: slugOf(demo.organizationName) },
  )
  return { userId, organizationId: created.id }
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
}
