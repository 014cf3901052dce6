/** The connection of a request, if there is one: a reset cuts it. */
export type FaultConnection = { destroy(): unknown }

export type Wait = (ms: number) => Promise<void>

/** Sends the first half of the body and breaks off: cuts the connection, or fails the stream in process. */
export async function cutBody(whole: Response, connection: FaultConnection | undefined): Promise<Response> {
  const bytes = await bytesOf(whole)
  let sent = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) {
        if (connection === undefined) return controller.error(new TypeError('terminated'))
        connection.destroy()
        return controller.close()
      }
      sent = true
      controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)))
    },
  })
  return new Response(body, { status: whole.status, headers: whole.headers })
}

/** The first half of the text as a complete body: the transport is fine, but the JSON is not. */
export async function cutText(whole: Response): Promise<Response> {
  const bytes = await bytesOf(whole)
  const headers = new Headers(whole.headers)
  headers.delete('content-length')
  return new Response(bytes.slice(0, Math.floor(bytes.length / 2)), { status: whole.status, headers })
}

/**
 * The body byte by byte with a wait before each; without a wait the first half and then nothing until the client
 * leaves.
 */
export async function slowBody(
  whole: Response,
  wait: (() => Promise<void>) | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const bytes = await bytesOf(whole)
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (wait === undefined) {
        if (at > 0) return untilAborted(signal)
        at = Math.floor(bytes.length / 2)
        return controller.enqueue(bytes.slice(0, at))
      }
      await wait()
      if (at === bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + 1))
      at += 1
    },
  })
  return new Response(body, { status: whole.status, headers: whole.headers })
}

/** In process nothing else ends the body of an aborted request; over HTTP the connection is cut. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const bombBytes = 256 * 1024 * 1024
const blockBytes = 1024 * 1024

/**
 * 256 MiB of spaces: compressed over a connection; uncompressed in process, where `fetch` would have unpacked them.
 */
export function endlessBody(connection: FaultConnection | undefined): Response {
  const headers = { 'content-type': 'application/json' }
  const block = new Uint8Array(blockBytes).fill(32)
  let left = bombBytes / blockBytes
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (left-- === 0) return controller.close()
      controller.enqueue(block)
    },
  })
  if (connection === undefined) return new Response(body, { headers })
  const packed = body.pipeThrough(new CompressionStream('gzip'))
  return new Response(packed, { headers: { ...headers, 'content-encoding': 'gzip' } })
}

export function reset(connection: FaultConnection | undefined): Response {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  if (connection === undefined) throw new TypeError('fetch failed', { cause })
  connection.destroy()
  return new Response(null)
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer())
}
