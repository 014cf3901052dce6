import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareEnvironment } from '#test/bare-environment.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'

const stopWithinMs = 10_000

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

async function startServer() {
  const port = await freePort()
  const child = spawn('node', ['src/server/main.ts'], {
    // A full disk: whatever else happens, a log that takes no line neither ends the server nor keeps it from ending.
    stdio: ['ignore', openSync(existsSync('/dev/full') ? '/dev/full' : '/dev/null', 'w'), 'ignore', 'ipc'],
    env: {
      ...bareEnvironment,
      DATABASE_URL: db.databaseUrl,
      SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      STRIPE_API_URL: 'http://127.0.0.1:9',
      HUBSPOT_API_URL: 'http://127.0.0.1:9',
      HUBSPOT_APP_URL: 'http://127.0.0.1:9',
      PORT: String(port),
    },
  })
  await once(child, 'message')
  return { child, port }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

it.concurrent('a server that is asked to end does so within ten seconds, whatever sockets and requests are open', async () => {
  const { child, port } = await startServer()
  const get = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const post =
    'POST /api/identity/sign-in/email HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{'
  const idle = await Promise.all(Array.from({ length: 20 }, () => open(port, get)))
  await Promise.all(idle.map((socket) => once(socket, 'data')))
  // Requests that never come to their end: a body that stalls, and headers that do.
  const stalled = await Promise.all([open(port, post), open(port, 'GET /api/')])
  const silent = await open(port, '')
  const askedAt = performance.now()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  expect(performance.now() - askedAt).toBeLessThan(stopWithinMs)
  for (const socket of [...idle, ...stalled, silent]) socket.destroy()
})

it.concurrent('hangs up on a sender who never ends a head, long before Node would', async () => {
  const { child, port } = await startServer()
  const socket = await open(port, 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-more: ')
  let told = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  await once(socket, 'close')
  expect(told).toContain('408 Request Timeout')
  child.kill('SIGKILL')
})

it.concurrent('with nothing in hand it ends at once and well', async () => {
  const { child } = await startServer()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it.concurrent('does not outlive its starter, nor wait for a harder signal that nobody would send', async () => {
  const { child } = await startServer()
  const ended = once(child, 'exit')
  child.disconnect()
  expect(await ended).toEqual([null, 'SIGKILL'])
})
