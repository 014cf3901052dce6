import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { AnswerBrokenOff, type Question, send } from './send.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Sends a request to a server that gives this answer. */
async function asking(answer: RequestListener) {
  const server = createServer(answer)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return async (more: Partial<Question> & { take?: (piece: Uint8Array) => void } = {}) => {
    const pieces: Uint8Array[] = []
    const url = new URL(`http://127.0.0.1:${port}/v1/customers?limit=2`)
    const question: Question = { url, headers: {}, signal: undefined, timeoutMs: 5_000, ...more }
    const answered = await send(question, more.take ?? ((piece) => pieces.push(piece)))
    return { ...answered, body: Buffer.concat(pieces).toString() }
  }
}

describe('what is sent over a connection', () => {
  it('is a GET with its headers, over a connection that stays open', async () => {
    const seen: unknown[] = []
    const ask = await asking((request, answer) => {
      seen.push([request.method, request.url, request.headers['authorization'], request.socket.remotePort])
      answer.writeHead(429, { 'request-id': 'req_1' }).end('{"error":{}}')
    })
    const headers = { authorization: 'Bearer key' }
    expect(await ask({ headers })).toMatchObject({
      status: 429,
      headers: { 'request-id': 'req_1' },
      body: '{"error":{}}',
    })
    await ask({ headers })
    expect(seen[0]).toEqual(['GET', '/v1/customers?limit=2', 'Bearer key', expect.any(Number)])
    expect(seen[1]).toEqual(seen[0])
  })

  it('is unpacked', async () => {
    let accepted: unknown
    const ask = await asking((request, answer) => {
      accepted = request.headers['accept-encoding']
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"is":"Größe"}'))
    })
    expect((await ask()).body).toBe('{"is":"Größe"}')
    expect(accepted).toBe('gzip')
  })

  it('is not sent on to where a redirect leads', async () => {
    let asked = 0
    const ask = await asking((_request, answer) => {
      asked += 1
      answer.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await ask()).status).toBe(302)
    expect(asked).toBe(1)
  })

  it.each<[string, RequestListener]>([
    [
      'plain',
      (_request, answer) => {
        answer.writeHead(200, { 'content-length': 100 }).write('{"half":')
        setTimeout(() => answer.destroy(), 20)
      },
    ],
    [
      'in pieces',
      (_request, answer) => {
        answer.writeHead(200).write('{"half":')
        setTimeout(() => answer.destroy(), 20)
      },
    ],
    [
      'packed',
      (_request, answer) => {
        const packed = gzipSync('{"whole":true}')
        answer.writeHead(200, { 'content-encoding': 'gzip' }).write(packed.subarray(0, -8))
        setTimeout(() => answer.destroy(), 20)
      },
    ],
    [
      'packed and ended too early',
      (_request, answer) => {
        const packed = gzipSync('{"whole":true}')
        answer.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, -8))
      },
    ],
  ])('is known to break off (%s)', async (_how, answer) => {
    const ask = await asking(answer)
    await expect(ask()).rejects.toThrow(AnswerBrokenOff)
  })

  it('is sent again where a connection that was kept open is closed just then', async () => {
    const ports: unknown[] = []
    const ask = await asking((request, answer) => {
      const { remotePort } = request.socket
      const isUsedAgain = ports.includes(remotePort)
      ports.push(remotePort)
      if (isUsedAgain) request.socket.destroy()
      else answer.end('{}')
    })
    await ask()
    expect((await ask()).body).toBe('{}')
    const [first, again, last] = ports
    expect([again === first, last === first]).toEqual([true, false])
  })

  it('fails where the connection does', async () => {
    const ask = await asking((request) => request.socket.destroy())
    await expect(ask()).rejects.toThrow('socket hang up')
  })

  it('ends with the signal, before the answer and within it', async () => {
    const stop = new AbortController()
    const ask = await asking((_request, answer) => {
      answer.writeHead(200).write('{')
      setTimeout(() => stop.abort(new Error('stopped')), 20)
    })
    await expect(ask({ signal: stop.signal })).rejects.toThrow('stopped')
    await expect(ask({ signal: stop.signal })).rejects.toThrow('stopped')
  })

  it('ends after its time, even while pieces still come', async () => {
    const ask = await asking((_request, answer) => {
      const more = setInterval(() => answer.write(' '), 10)
      answer.on('close', () => clearInterval(more))
    })
    await expect(ask({ timeoutMs: 100 })).rejects.toThrow('No whole answer within 100 ms.')
  })

  it('is unpacked no further than it is taken', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const ask = await asking((_request, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    })
    let taken = 0
    const take = () => {
      taken += 1
      throw new Error('too much')
    }
    await expect(ask({ take })).rejects.toThrow('too much')
    await new Promise((goOn) => setTimeout(goOn, 100))
    expect(taken).toBe(1)
  })

  it('ends where what comes is not taken', async () => {
    let isClosed: Promise<unknown> | undefined
    const ask = await asking((_request, answer) => {
      isClosed = once(answer, 'close')
      const more = () => void (answer.destroyed || answer.write('x'.repeat(65_536), more))
      more()
    })
    const take = () => {
      throw new Error('too much')
    }
    await expect(ask({ take })).rejects.toThrow('too much')
    await isClosed
  })
})
