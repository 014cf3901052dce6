import { expect, test } from 'vitest'
import { verifyConnection } from './verify-connection.ts'

async function verify(answers: (boolean | 'fails')[]) {
  const slept: number[] = []
  let asked = 0
  const isConnected = await verifyConnection(
    async () => {
      const answer = answers[asked]
      asked += 1
      if (answer === 'fails') throw new Error('502')
      return answer === true
    },
    async (ms) => void slept.push(ms),
  )
  return { isConnected, asked, slept }
}

test('the first yes ends it', async () => {
  expect(await verify([true])).toEqual({ isConnected: true, asked: 1, slept: [] })
})

test('a failed question is asked again two seconds later', async () => {
  expect(await verify(['fails', false, true])).toEqual({ isConnected: true, asked: 3, slept: [2_000, 2_000] })
})

test('three times no is no', async () => {
  expect(await verify([false, false, 'fails', true])).toEqual({
    isConnected: false,
    asked: 3,
    slept: [2_000, 2_000],
  })
})
