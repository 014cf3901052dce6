import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createBoundedServer } from './bounded-server.ts'
import { serverLimits } from './server-limits.ts'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.closeAllConnections()
})

async function listen(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createBoundedServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const requests = (count: number) => 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(count)

describe('a connection', () => {
  it('that reads nothing has one answer made for it, however many it asks for', async () => {
    let begun = 0
    const answer = Buffer.alloc(20_000_000)
    const { port } = await listen((_request, response) => {
      begun += 1
      response.end(answer)
    })
    const socket = await open(port)
    socket.pause()
    socket.write(requests(90))
    const other = await open(port)
    other.write(requests(1))
    await once(other, 'data')
    expect(begun).toBe(2)
  })

  it('that reads is answered all it asks for, in order, and then closed', async () => {
    let count = 0
    const { port } = await listen((_request, response) => {
      count += 1
      const number = count
      // The first takes longest.
      if (number === 1) setImmediate(() => setImmediate(() => response.end(`number ${number};`)))
      else response.end(`number ${number};`)
    })
    const socket = await open(port)
    let text = ''
    socket.on('data', (data) => (text += String(data)))
    socket.write(requests(serverLimits.maxRequestsPerSocket + 20))
    await once(socket, 'close')
    const numbers = [...text.matchAll(/number (\d+);/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(
      Array.from({ length: serverLimits.maxRequestsPerSocket }, (_, index) => index + 1),
    )
  })

  it('on which nothing moves is given up, and there are only so many', async () => {
    const { server } = await listen(() => {})
    expect(server).toMatchObject({ timeout: 30_000, maxConnections: 1_000, maxRequestsPerSocket: 100 })
    server.timeout = 50
    const socket = await open((server.address() as AddressInfo).port)
    await once(socket, 'close')
    server.maxConnections = 1
    await open((server.address() as AddressInfo).port)
    await once(await open((server.address() as AddressInfo).port), 'close')
  })
})

it.runIf(process.platform === 'linux')(
  'the server of the web app keeps its memory while fifty connections ask and do not read',
  async () => {
    const child = spawn('node', ['test/http/serve-large-file.ts'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const rssMb = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/assets/app-1a2b.bin`)
      return (await answer.arrayBuffer()).byteLength
    }
    const size = await ask()
    const before = rssMb()
    for (let index = 0; index < 50; index += 1) {
      const socket = await open(port)
      socket.write('GET /assets/app-1a2b.bin HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(40))
      // The first answer has begun, but only as much as the buffers hold was read.
      await once(socket, 'readable')
    }
    expect(await ask()).toBe(size)
    expect(rssMb() - before).toBeLessThan(100)
    child.kill()
    await once(child, 'exit')
  },
  60_000,
)
