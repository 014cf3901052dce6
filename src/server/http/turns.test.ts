import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTransactionTurns } from './turns.ts'

const limits = { each: 2, altogether: 3, waitingMax: 4, waitMs: 1_000 }

/** Works that run until the test ends them. The name is a letter for the key and a number. */
function stage() {
  const inTurn = createTransactionTurns(limits)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const refused: string[] = []
  const start = (name: string, signal?: AbortSignal) =>
    inTurn(
      name.charAt(0),
      () =>
        new Promise<void>((done) => {
          begun.push(name)
          ends.set(name, done)
        }),
      signal,
    ).catch((error: unknown) => {
      refused.push(name)
      return error
    })
  const settle = async () => {
    for (let step = 0; step < 10; step += 1) await Promise.resolve()
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { start, end, settle, begun, refused }
}

afterEach(() => void vi.useRealTimers())

describe('turns', () => {
  it('let so many of one key go on, make the next wait, and let another key begin at once', async () => {
    const { start, begun, end, settle } = stage()
    for (const name of ['a1', 'a2', 'a3', 'b1']) void start(name)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('go from key to key, and within one to whoever came first', async () => {
    const { start, begun, end, settle } = stage()
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'b2', 'b3', 'c1']) void start(name)
    await settle()
    expect(begun.splice(0)).toEqual(['a1', 'a2', 'b1'])
    for (const name of ['a1', 'b1', 'a2', 'c1', 'a3']) await end(name)
    expect(begun).toEqual(['a3', 'b2', 'c1', 'a4', 'b3'])
  })

  it('are given back by works that fail', async () => {
    const inTurn = createTransactionTurns({ ...limits, each: 1 })
    const fail = () => inTurn(1, () => Promise.reject(new Error('broken')))
    await expect(fail()).rejects.toThrow('broken')
    await expect(inTurn(1, async () => 'done')).resolves.toBe('done')
  })

  it('are not waited for by a request that was given up', async () => {
    const { start, begun, end, settle, refused } = stage()
    const [waiting, gone] = [new AbortController(), AbortSignal.abort()]
    for (const name of ['a1', 'a2']) void start(name)
    void start('a3', waiting.signal)
    void start('a4')
    void start('b1', gone)
    waiting.abort()
    await settle()
    expect(refused).toEqual(['b1', 'a3'])
    await end('a1')
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'a4'])
  })

  it('are not waited for by more than so many, nor for ever: those are told when to come again', async () => {
    vi.useFakeTimers()
    const { start, begun, end, refused } = stage()
    const works = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1'].map((name) => start(name))
    await vi.advanceTimersByTimeAsync(0)
    expect(refused).toEqual(['a7'])
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    expect(await works[6]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    await end('a1')
    await vi.advanceTimersByTimeAsync(limits.waitMs)
    expect(refused).toEqual(['a7', 'a4', 'a5', 'a6'])
    expect(await works[3]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    await end('a2')
    void start('a8')
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a8'])
  })
})
