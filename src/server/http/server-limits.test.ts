import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverLimits } from './server-limits.ts'

/** The same server with all time limits divided, so that tests need not wait for them. */
const divisor = 100
const hurried = Object.fromEntries(Object.entries(serverLimits).map(([name, ms]) => [name, ms / divisor]))
const server = createServer(hurried, (request, answer) => {
  request.resume().on('end', () => answer.end('served'))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** The answer that a sender gets before the server closes the connection. */
async function send(...parts: string[]): Promise<string> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let told = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return told
}

const head = 'POST / HTTP/1.1\r\nhost: localhost\r\n'

describe('a slow sender', () => {
  it.each([
    ['says nothing at all after its first line', 'POST / HTTP/1.1\r\n'],
    ['never ends its head', `${head}x-more: `],
    ['never ends its body', `${head}content-length: 100\r\n\r\nabc`],
    ['never ends its chunks', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
  ])('that %s is hung up on', async (_, part) => {
    expect(await send(part)).toContain('408 Request Timeout')
  })

  it('that keeps its connection without a use for it is hung up on after being served', async () => {
    expect(await send(`${head}content-length: 0\r\n\r\n`)).toContain('served')
  })

  it.each([
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a length and chunks', `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a head without end', `${head}x: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ])('that sends %s is refused before anything reads it', async (_, part) => {
    expect(await send(part)).toMatch(/^HTTP\/1\.1 4(00|31) /)
  })
})

it('waits ten seconds for a head and thirty for a request, no longer', () => {
  // The server reads 0 as no limit.
  expect(Math.min(...Object.values(serverLimits))).toBeGreaterThan(0)
  expect(serverLimits.headersTimeout).toBeLessThanOrEqual(10_000)
  expect(serverLimits.requestTimeout).toBeLessThanOrEqual(30_000)
  expect(serverLimits.connectionsCheckingInterval).toBeLessThanOrEqual(1_000)
})
