/** Domains of free mail, where each user creates their own organization. */
export const freeMailDomains = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com'] as const

const invitationPolls = { tries: 8, everyMs: 1_000 } as const

/** The functions that the search needs from outside. `sleep` resolves after the given milliseconds. */
export type OrganizationSearch = {
  listOrganizationIds: () => Promise<string[]>
  checkDomain: (emailDomain: string) => Promise<{ isFirstUser: boolean; inviters: string[] }>
  checkInvitations: () => Promise<{ hasPendingInvitation: boolean; autoAccepted: boolean }>
  sleep: (ms: number) => Promise<void>
  logProblem: (what: string, error: unknown) => void
}

export type FoundOrganization =
  | { kind: 'member'; organizationId: string }
  | { kind: 'choice'; canCreate: boolean; inviters: string[]; hasPendingInvitation: boolean }

/**
 * Finds the organization of a signed-in user without an active one: the first membership, one from an invitation, or
 * the choice to create one. A failed check locks nobody out, because the server decides.
 */
export async function findOrganization(
  email: string,
  search: OrganizationSearch,
): Promise<FoundOrganization> {
  const [existing] = await search.listOrganizationIds()
  if (existing !== undefined) return { kind: 'member', organizationId: existing }
  const { isFirstUser: canCreate, inviters } = await checkDomain(email, search)
  const invitations = await checkInvitations(search)
  if (invitations.autoAccepted) {
    const joined = await waitForMembership(search)
    if (joined !== undefined) return { kind: 'member', organizationId: joined }
  }
  return { kind: 'choice', canCreate, inviters, hasPendingInvitation: invitations.hasPendingInvitation }
}

async function checkDomain(email: string, search: OrganizationSearch) {
  const free = { isFirstUser: true, inviters: [] }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (freeMailDomains.some((one) => one === domain)) return free
  try {
    return await search.checkDomain(domain)
  } catch (error) {
    search.logProblem('The domain check failed', error)
    return free
  }
}

async function checkInvitations(search: OrganizationSearch) {
  try {
    return await search.checkInvitations()
  } catch (error) {
    search.logProblem('The invitation check failed', error)
    return { hasPendingInvitation: false, autoAccepted: false }
  }
}

async function waitForMembership(search: OrganizationSearch): Promise<string | undefined> {
  for (let tries = 0; tries < invitationPolls.tries; tries += 1) {
    const [joined] = await search.listOrganizationIds()
    if (joined !== undefined) return joined
    await search.sleep(invitationPolls.everyMs)
  }
  return undefined
}

/** Proposes a slug for an organization: 'Acme, Inc.' becomes 'acme-inc'. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
}

/** As `slugOf`; a name without Latin letters or digits gets the fallback. */
export function proposedSlug(name: string, fallback: string): string {
  return slugOf(name) || (name.trim() === '' ? '' : fallback)
}
