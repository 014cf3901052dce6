import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { serverLimits } from './server-limits.ts'

/** An HTTP server that limits the memory of each connection, no matter how slowly the other side sends or reads. */
export function createBoundedServer(listener: RequestListener): Server {
  const { maxConnections, timeout, maxRequestsPerSocket, answerTimeout, ...options } = serverLimits
  const server = createServer(options, inTurn(patient(listener, answerTimeout, timeout)))
  return Object.assign(server, { maxConnections, timeout, maxRequestsPerSocket })
}

/** While the server prepares an answer, nothing moves on the connection, and the caller is not to blame. */
function patient(listener: RequestListener, makingMs: number, takingMs: number): RequestListener {
  return (request, response) => {
    request.socket.setTimeout(makingMs)
    response.once('prefinish', () => request.socket.setTimeout(takingMs))
    return listener(request, response)
  }
}

/**
 * Answers pipelined requests of a connection one after the other. The next one starts after the previous answer
 * was sent, so a caller that reads nothing causes no further work.
 */
function inTurn(listener: RequestListener): RequestListener {
  const turns = new WeakMap<Socket, Promise<void>>()
  return (request, response) => {
    const { socket } = request
    const before = turns.get(socket)
    turns.set(socket, new Promise((sent) => response.once('close', () => sent())))
    if (before === undefined) return listener(request, response)
    void before.then(() => {
      if (!socket.destroyed) listener(request, response)
    })
  }
}
