import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { fc } from '#test/fast-check.ts'
import { liftBudgets } from '#test/lift-budgets.ts'
import { type Command, commandOf, Model, people, raceOf } from '#test/membership-model.ts'
import { Refusal } from '../../../refusal.ts'
import { listOpenInvitations } from '../../../store/accounts/invitations.ts'
import { listMembers } from '../../../store/accounts/members.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { changeRole, endMembership, leaveOrganization, transferOwnership } from '../change-members.ts'
import { createOrganization } from '../create-organization.ts'
import { inviteMember, withdrawInvitation } from '../invite-member.ts'
import { acceptInvitation, joinInvitedOrganization } from '../join-organization.ts'

const sequences = Number(process.env['MEMBERSHIP_SEQUENCES'] ?? 200)
const races = Number(process.env['MEMBERSHIP_RACES'] ?? 30)
const seed = Number(process.env['MEMBERSHIP_SEED'] ?? 20_260)

/** Parallel sequences, each with its own people and domains. */
const lanes = 8

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
  await liftBudgets(db.ownerUrl)
})
afterAll(() => db.close())

let worlds = 0
let slugs = 0

/** Creates a sequence's people in the database, to run the same commands on it and on the model. */
async function newWorld() {
  worlds += 1
  const tag = `w${worlds}`
  const email = (person: number) => people[person]?.email.replace('{tag}', tag) ?? ''
  const rows = await db.database
    .insertInto('user')
    .values(people.map((_, person) => ({ email: email(person), name: 'P', emailVerified: true })))
    .returning('id')
    .execute()
  const users = rows.map(({ id }) => id)
  const organizations: number[] = []
  const actorOf = (person: number) => ({
    userId: users[person] ?? 0,
    email: email(person),
    address: null,
    emailVerified: people[person]?.isVerified ?? false,
  })
  return { tag, email, actorOf, organizations, users }
}
type LiveWorld = Awaited<ReturnType<typeof newWorld>>

/** The result of a command: 'done' or the refusal's code. Any other error is a bug. */
async function perform(world: LiveWorld, command: Command): Promise<string> {
  const { database } = db
  const organization = world.organizations[command.organization] ?? -1
  const caller = { organizationId: organization, actor: world.actorOf(command.actor) }
  const target = () => findMember(world, organization, command.target)
  try {
    switch (command.kind) {
      case 'create': {
        slugs += 1
        const slug = `${world.tag}-${slugs}`
        const created = await createOrganization(database, world.actorOf(command.actor), { name: 'O', slug })
        world.organizations.push(created.id)
        return 'done'
      }
      case 'invite': {
        const email = spell(world.email(command.target), command.spelling)
        await inviteMember(database, caller, {
          email,
          role: command.role === 'owner' ? 'admin' : command.role,
        })
        return 'done'
      }
      case 'withdraw':
        await withdrawInvitation(database, caller, await invitationTo(world, organization, command.target))
        return 'done'
      case 'accept':
        await acceptInvitation(
          database,
          world.actorOf(command.actor),
          await invitationTo(world, organization, command.target),
        )
        return 'done'
      case 'join': {
        const { joinedId } = await joinInvitedOrganization(database, world.actorOf(command.actor))
        return joinedId === null ? 'none' : 'done'
      }
      case 'role':
        await changeRole(database, caller, await target(), command.role)
        return 'done'
      case 'transfer':
        await transferOwnership(database, caller, await target())
        return 'done'
      case 'remove':
        await endMembership(database, caller, await target())
        return 'done'
      case 'leave':
        await leaveOrganization(database, caller)
        return 'done'
    }
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function findMember(world: LiveWorld, organization: number, person: number): Promise<number> {
  const members = await inOrganization(db.database, organization, listMembers)
  return members.find(({ userId }) => userId === world.users[person])?.id ?? 0
}

async function invitationTo(world: LiveWorld, organization: number, person: number): Promise<string> {
  const open = await inOrganization(db.database, organization, listOpenInvitations)
  return open.find(({ email }) => email === world.email(person))?.token ?? ''
}

/** The same address in another spelling that people may use. */
function spell(email: string, spelling: number): string {
  return [email, email.toUpperCase(), ` ${email} `, `${email}.`][spelling % 4] ?? email
}

/** The database's content, in the model's terms. */
async function observe(world: LiveWorld) {
  const states = []
  for (const id of world.organizations) {
    const { members, open } = await inOrganization(db.database, id, async (tenant) => ({
      members: await listMembers(tenant),
      open: await listOpenInvitations(tenant),
    }))
    states.push({
      members: members.map(({ userId, role }) => `${world.users.indexOf(userId)} ${role}`).sort(),
      open: open
        .map(({ email, role }) => `${people.findIndex((_, index) => world.email(index) === email)} ${role}`)
        .sort(),
    })
  }
  return states
}

async function runSequence(commands: Command[]): Promise<void> {
  const world = await newWorld()
  const model = new Model()
  for (const command of commands) {
    const expected = model.perform(command)
    const happened = await perform(world, command)
    expect({ command, outcome: happened }).toEqual({ command, outcome: expected })
  }
  expect(await observe(world)).toEqual(model.observe())
}

it(`the database follows the model through ${sequences} sequences`, { timeout: 1_200_000 }, async () => {
  const drawn = fc.sample(fc.array(commandOf(), { minLength: 2, maxLength: 6 }), { numRuns: sequences, seed })
  const next = drawn[Symbol.iterator]()
  const lane = async () => {
    for (let one = next.next(); !one.done; one = next.next()) await runSequence(one.value)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
})

it('nobody joins by an address that is not verified', async () => {
  const unverified = people.findIndex(({ isVerified }) => !isVerified)
  const plain = { organization: 0, role: 'member', spelling: 0 } as const
  await runSequence([
    { ...plain, kind: 'create', actor: 0, target: 0 },
    { ...plain, kind: 'invite', actor: 0, target: unverified },
    { ...plain, kind: 'join', actor: unverified, target: 0 },
    { ...plain, kind: 'accept', actor: unverified, target: unverified },
  ])
})

it(`two at once come out as one after the other, in ${races} races`, { timeout: 1_200_000 }, async () => {
  const drawn = fc.sample(raceOf(), { numRuns: races, seed })
  const next = drawn[Symbol.iterator]()
  const race = async ([before, first, second]: [Command[], Command, Command]) => {
    const world = await newWorld()
    for (const command of before) await perform(world, command)
    const outcomes = await Promise.all([perform(world, first), perform(world, second)])
    const seen = { outcomes, state: (await observe(world)).map((state) => JSON.stringify(state)).sort() }
    const orders = [
      [first, second],
      [second, first],
    ].map((order) => {
      const model = new Model()
      for (const command of before) model.perform(command)
      const told = order.map((command) => model.perform(command))
      const inOrder = order[0] === first ? told : told.toReversed()
      return {
        outcomes: inOrder,
        state: model
          .observe()
          .map((state) => JSON.stringify(state))
          .sort(),
      }
    })
    expect(orders).toContainEqual(seen)
  }
  const lane = async () => {
    for (let one = next.next(); !one.done; one = next.next()) await race(one.value)
  }
  await Promise.all(Array.from({ length: 2 }, lane))
})
