import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { serverLimits } from './server-limits.ts'

/** An HTTP server that no sender and no reader can make hold more than a little for each connection. */
export function createBoundedServer(listener: RequestListener): Server {
  const { maxConnections, timeout, maxRequestsPerSocket, answerTimeout, ...options } = serverLimits
  const server = createServer(options, inTurn(patient(listener, answerTimeout, timeout)))
  return Object.assign(server, { maxConnections, timeout, maxRequestsPerSocket })
}

/** While an answer is being made nothing moves on its connection, and nobody is to blame. */
function patient(listener: RequestListener, makingMs: number, takingMs: number): RequestListener {
  return (request, response) => {
    request.socket.setTimeout(makingMs)
    response.once('prefinish', () => request.socket.setTimeout(takingMs))
    return listener(request, response)
  }
}

/**
 * Requests that come on one connection without waiting for each other are answered one after the other: the next is begun
 * once the answer before it has been sent, so that whoever reads nothing gets no second one made.
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
