import http from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A GET, since nothing more is ever asked this way. */
export type Question = {
  url: URL
  headers: http.OutgoingHttpHeaders
  /** Ends the request and the reading of its answer. */
  signal: AbortSignal | undefined
  /** From the request to the end of its answer. */
  timeoutMs: number
}

export type Answer = { status: number; headers: http.IncomingHttpHeaders }

/**
 * Asks and hands the body over, piece by piece and unpacked; resolves once it has all come. `take` ends the answer by
 * throwing. Follows no redirect. Throws AnswerBrokenOff where the body ends before its end, and whatever the connection or
 * the signal failed with.
 */
export type Send = (question: Question, take: (piece: Uint8Array) => void) => Promise<Answer>

export class AnswerBrokenOff extends Error {}

/**
 * Sends over connections that are kept open. The global fetch would do the same for twice the processor's time, which is
 * what an import of a large account is short of.
 */
export function createSend(): Send {
  const agents = { plain: new http.Agent({ keepAlive: true }), sealed: new https.Agent({ keepAlive: true }) }
  return ({ url, headers: asked, signal, timeoutMs }, take) => {
    const headers = { ...asked, 'accept-encoding': 'gzip' }
    const request =
      url.protocol === 'http:'
        ? http.get(url, { agent: agents.plain, headers })
        : https.get(url, { agent: agents.sealed, headers })
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const fail = (error: unknown) => {
      reject(error)
      request.destroy()
    }
    const breakOff = (cause?: unknown) => fail(new AnswerBrokenOff('The answer broke off.', { cause }))
    const onAbort = () => fail(signal?.reason)
    const deadline = setTimeout(() => fail(new Error(`No whole answer within ${timeoutMs} ms.`)), timeoutMs)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    request.on('error', fail)
    request.on('response', (response) => {
      const isPacked = response.headers['content-encoding'] === 'gzip'
      const body = isPacked ? pipeline(response, createGunzip(), () => {}) : response
      body.on('data', (piece: Buffer) => {
        try {
          take(piece)
        } catch (error) {
          fail(error)
        }
      })
      body.on('error', breakOff)
      response.on('close', () => response.complete || breakOff())
      body.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
    return promise.finally(() => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
    })
  }
}
