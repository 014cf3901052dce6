import { expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { createDoor } from './door.ts'
import { createSessionTurns } from './turns.ts'

const request = (cookie: string) => new Request('http://localhost/', { headers: { cookie } })

/** A cookie names its organization and user. A cookie that begins with 'old' no longer belongs to anybody. */
function stage(limitCalls = () => {}) {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const identity = {
    sessionCookie: (headers: Headers) => headers.get('cookie') ?? undefined,
    findSession: async (headers: Headers) => {
      const cookie = headers.get('cookie') ?? ''
      asked.push(cookie)
      await new Promise<void>((done) => answers.push(done))
      if (cookie.startsWith('old')) return null
      const [organization = '', user = ''] = cookie.split(' ')
      return {
        sessionId: 1,
        user: {
          id: Number(user),
          name: '',
          email: '',
          emailVerified: true,
          imageUrl: null,
          hasSecondFactor: false,
        },
        organization: { id: Number(organization), name: '', role: 'owner' as const },
        cookies: [],
      }
    },
  }
  const turns = createSessionTurns({ each: 1, altogether: 2, waitingMax: 10, waitMs: 10_000 })
  const enter = createDoor(identity, limitCalls, turns)
  const settle = async () => {
    for (let step = 0; step < 20; step += 1) await Promise.resolve()
  }
  const answer = async () => {
    answers.shift()?.()
    await settle()
  }
  return { enter, asked, answer, settle }
}

it('asks nothing of the database for a call over the limit of someone who was there before', async () => {
  let isOver = false
  const { enter, asked, answer, settle } = stage(() => {
    if (isOver) throw new Refusal('rate_limited', 'too fast')
  })
  const first = enter(request('7 1'), 'a')
  await settle()
  await answer()
  expect(await first).toMatchObject({ organization: { id: 7 } })
  isOver = true
  await expect(enter(request('7 1'), 'a')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(asked).toHaveLength(1)
})

it('lets another organization, and a network that comes for the first time, pass whoever asks a lot', async () => {
  const { enter, asked, answer, settle } = stage()
  const known = ['7 1', '8 2'].map((cookie) => enter(request(cookie), cookie))
  await settle()
  await answer()
  await answer()
  await Promise.all(known)
  asked.length = 0
  const rest = ['7 1', '7 1', '7 1', '8 2', '9 3'].map((cookie) => enter(request(cookie), 'there'))
  await settle()
  expect(asked).toEqual(['7 1', '8 2'])
  await answer()
  await answer()
  expect(asked.slice(2).toSorted()).toEqual(['7 1', '9 3'])
  for (let left = 0; left < rest.length; left += 1) await answer()
  await Promise.all(rest)
})

it('finds nobody behind a cookie whose session has ended, and asks nothing without one', async () => {
  const { enter, asked, answer, settle } = stage()
  const old = enter(request('old'), 'a')
  await settle()
  await answer()
  expect(await old).toBeNull()
  expect(await enter(new Request('http://localhost/'), 'a')).toBeNull()
  expect(asked).toEqual(['old'])
})
