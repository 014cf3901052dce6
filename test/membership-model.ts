import { fc } from './fast-check.ts'

/** The people of one sequence; `{tag}` makes their domains unique. */
export const people = [
  { email: 'ann@{tag}a.example', isVerified: true, claims: 'a' },
  { email: 'bob@mail.{tag}a.example', isVerified: true, claims: 'a' },
  { email: 'cat@{tag}b.example', isVerified: true, claims: 'b' },
  { email: '{tag}@gmail.com', isVerified: true, claims: null },
  { email: 'eve@{tag}c.example', isVerified: false, claims: 'c' },
] as const

type Role = 'owner' | 'admin' | 'member'
const kinds = [
  'create',
  'invite',
  'withdraw',
  'accept',
  'join',
  'role',
  'transfer',
  'remove',
  'leave',
] as const

export type Command = {
  kind: (typeof kinds)[number]
  actor: number
  target: number
  /** The index of the organization, in order of creation. */
  organization: number
  role: Role
  /** The index of the spelling of an address. */
  spelling: number
}

/** Commands of which most can succeed: few people, fewer organizations. */
export function commandOf(): fc.Arbitrary<Command> {
  const person = fc.integer({ min: 0, max: people.length - 1 })
  return fc.record({
    kind: fc.constantFrom('create', 'create', 'invite', 'invite', 'invite', 'join', 'accept', ...kinds),
    actor: fc.oneof(fc.constant(0), person),
    target: person,
    organization: fc.constantFrom(0, 0, 0, 1),
    role: fc.constantFrom('owner', 'admin', 'member'),
    spelling: fc.nat(3),
  })
}

type Offer = { role: Role; by: number }
type Organization = { claims: string | null; members: Map<number, Role>; open: Map<number, Offer> }

/**
 * Applies the rules to one command after the other: the domain, invitations, roles, and that an organization keeps an
 * owner.
 */
export class Model {
  readonly #organizations: Organization[] = []
  readonly #claimed = new Set<string>()

  perform(command: Command): string {
    const { kind, actor, target, role } = command
    const person = people[actor]
    if (kind === 'create') return this.#create(actor)
    if (kind === 'join') return this.#join(actor)
    const organization = this.#organizations[command.organization]
    if (kind === 'accept') {
      const offered = organization?.open.get(target)
      if (!person?.isVerified || actor !== target || !organization || !offered) return 'not_found'
      return this.#enter(organization, actor, offered.role)
    }
    const own = organization?.members.get(actor)
    if (kind === 'invite' || kind === 'withdraw') {
      if (!organization || !own || own === 'member') return 'forbidden'
      return kind === 'invite'
        ? invite(organization, target, { role, by: actor })
        : withdraw(organization, target)
    }
    if (!organization || !own) return 'needs_organization'
    if (kind === 'leave') return remove(organization, actor)
    if (kind === 'transfer' && own !== 'owner') return 'forbidden'
    const its = organization.members.get(target)
    if (!its) return 'not_found'
    if (kind === 'transfer') return transfer(organization, actor, target)
    if (kind === 'remove') {
      if (actor !== target && own !== 'owner' && (own === 'member' || its === 'owner')) return 'forbidden'
      return remove(organization, target)
    }
    if (own === 'member' || (own === 'admin' && (its === 'owner' || role === 'owner'))) return 'forbidden'
    if (its === 'owner' && role !== 'owner' && owners(organization) === 1) return 'conflict'
    organization.members.set(target, role)
    if (role === 'member') withdrawAll(organization, target)
    return 'done'
  }

  /** The members and open invitations of each organization, in order of creation. */
  observe() {
    const list = (pairs: Iterable<[number, Role]>) => [...pairs].map((pair) => pair.join(' ')).sort()
    return this.#organizations.map(({ members, open }) => ({
      members: list(members),
      open: list([...open].map(([person, { role }]) => [person, role])),
    }))
  }

  #create(actor: number): string {
    const person = people[actor]
    if (!person?.isVerified) return 'forbidden'
    if (person.claims !== null && this.#claimed.has(person.claims)) return 'forbidden'
    if (person.claims !== null) this.#claimed.add(person.claims)
    this.#organizations.push({ claims: person.claims, members: new Map([[actor, 'owner']]), open: new Map() })
    return 'done'
  }

  #join(actor: number): string {
    if (!people[actor]?.isVerified) return 'none'
    const inviting = this.#organizations.filter(({ open }) => open.has(actor))
    const [only] = inviting
    if (only === undefined || inviting.length > 1) return 'none'
    if (only.claims === null || only.claims !== people[actor]?.claims) return 'none'
    return this.#enter(only, actor, only.open.get(actor)?.role ?? 'member')
  }

  #enter(organization: Organization, actor: number, role: Role): string {
    organization.open.delete(actor)
    organization.members.set(actor, role)
    return 'done'
  }
}

const owners = ({ members }: Organization) => [...members.values()].filter((role) => role === 'owner').length

function invite({ members, open }: Organization, target: number, { role, by }: Offer): string {
  if (members.has(target)) return 'conflict'
  open.set(target, { role: role === 'owner' ? 'admin' : role, by })
  return 'done'
}

function withdraw({ open }: Organization, target: number): string {
  return open.delete(target) ? 'done' : 'not_found'
}

function withdrawAll({ open }: Organization, inviter: number): void {
  for (const [person, { by }] of open) if (by === inviter) open.delete(person)
}

function transfer({ members }: Organization, actor: number, target: number): string {
  if (actor === target) return 'conflict'
  members.set(target, 'owner')
  members.set(actor, 'admin')
  return 'done'
}

function remove(organization: Organization, target: number): string {
  if (organization.members.get(target) === 'owner' && owners(organization) === 1) return 'conflict'
  organization.members.delete(target)
  withdrawAll(organization, target)
  return 'done'
}

const plain = { target: 0, organization: 0, role: 'owner', spelling: 0 } as const
/** Ann and Cat own one organization together. */
const twoOwners: Command[] = [
  { ...plain, kind: 'create', actor: 0 },
  { ...plain, kind: 'invite', actor: 0, target: 2 },
  { ...plain, kind: 'accept', actor: 2, target: 2 },
  { ...plain, kind: 'role', actor: 0, target: 2 },
]

/**
 * Two simultaneous commands after some others; half of the races are between two owners who change each other or leave.
 */
export function raceOf(): fc.Arbitrary<[Command[], Command, Command]> {
  const owner = (actor: number): fc.Arbitrary<Command> =>
    fc.record({
      kind: fc.constantFrom('leave', 'leave', 'remove', 'role', 'transfer'),
      actor: fc.constant(actor),
      target: fc.constantFrom(0, 2),
      organization: fc.constant(0),
      role: fc.constantFrom('admin', 'member'),
      spelling: fc.constant(0),
    })
  return fc.oneof(
    fc.tuple(fc.array(commandOf(), { minLength: 3, maxLength: 6 }), commandOf(), commandOf()),
    fc.tuple(fc.constant(twoOwners), owner(0), owner(2)),
  )
}
