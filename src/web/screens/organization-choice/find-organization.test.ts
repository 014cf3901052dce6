import { expect, test } from 'vitest'
import { findOrganization, type OrganizationSearch, proposedSlug, slugOf } from './find-organization.ts'

/** Runs a search with given answers. The membership appears after `joinsAfter` looks. */
function searchWith(given: {
  joinsAfter?: number
  isFirstUser?: boolean | 'fails'
  invitations?: { hasPendingInvitation: boolean; autoAccepted: boolean } | 'fails'
}) {
  const seen = { looks: 0, sleptMs: [] as number[], domains: [] as string[], problems: [] as string[] }
  const search: OrganizationSearch = {
    listOrganizationIds: async () => {
      seen.looks += 1
      return seen.looks > (given.joinsAfter ?? Number.POSITIVE_INFINITY) ? ['7', '8'] : []
    },
    checkDomain: async (domain) => {
      seen.domains.push(domain)
      if (given.isFirstUser === 'fails') throw new Error('503')
      return { isFirstUser: given.isFirstUser ?? false, inviters: [] }
    },
    checkInvitations: async () => {
      if (given.invitations === 'fails') throw new Error('503')
      return given.invitations ?? { hasPendingInvitation: false, autoAccepted: false }
    },
    sleep: async (ms) => void seen.sleptMs.push(ms),
    logProblem: (what) => void seen.problems.push(what),
  }
  return { search, seen }
}

test('the first membership is taken without any check', async () => {
  const { search, seen } = searchWith({ joinsAfter: 0 })
  expect(await findOrganization('a@acme.example', search)).toEqual({ kind: 'member', organizationId: '7' })
  expect(seen.domains).toEqual([])
})

test.each(['a@gmail.com', 'a@ICLOUD.com'])('%s may create without a domain check', async (email) => {
  const { search, seen } = searchWith({ isFirstUser: false })
  expect(await findOrganization(email, search)).toMatchObject({ kind: 'choice', canCreate: true })
  expect(seen.domains).toEqual([])
})

test.each([true, false])('at a work domain the first user decides: %s', async (isFirstUser) => {
  const { search, seen } = searchWith({ isFirstUser })
  expect(await findOrganization('a@b@acme.example', search)).toMatchObject({ canCreate: isFirstUser })
  expect(seen.domains).toEqual(['acme.example'])
})

test('a failed domain check offers creation, a failed invitation check is no invitation; both are logged', async () => {
  const { search, seen } = searchWith({ isFirstUser: 'fails', invitations: 'fails' })
  expect(await findOrganization('a@acme.example', search)).toEqual({
    kind: 'choice',
    canCreate: true,
    inviters: [],
    hasPendingInvitation: false,
  })
  expect(seen.problems).toHaveLength(2)
})

const accepted = { hasPendingInvitation: true, autoAccepted: true }

test('an accepted invitation is waited for, a second at a time', async () => {
  const { search, seen } = searchWith({ joinsAfter: 3, invitations: accepted })
  expect(await findOrganization('a@acme.example', search)).toEqual({ kind: 'member', organizationId: '7' })
  expect(seen.sleptMs).toEqual([1_000, 1_000])
})

test('after eight looks the waiting ends', async () => {
  const { search, seen } = searchWith({ invitations: accepted })
  expect(await findOrganization('a@acme.example', search)).toMatchObject({ kind: 'choice', canCreate: false })
  expect(seen.looks).toBe(1 + 8)
  expect(seen.sleptMs).toHaveLength(8)
})

test.each([
  ['Acme, Inc.', 'acme-inc'],
  ['  Café Über ', 'cafe-uber'],
  ['---', ''],
  ['x'.repeat(80), 'x'.repeat(48)],
])('%s makes the slug %s', (name, slug) => expect(slugOf(name)).toBe(slug))

test('proposes a slug for a name without Latin letters, and none for no name', () => {
  for (const name of ['株式会社', 'Ελλάς', '🚢'])
    expect(proposedSlug(name, 'organization-1f')).toBe('organization-1f')
  expect(proposedSlug(' ', 'organization-1f')).toBe('')
  expect(proposedSlug('Café 日本', 'organization-1f')).toBe('cafe')
  expect(slugOf(`${'a'.repeat(47)} b`)).toBe('a'.repeat(47))
})
