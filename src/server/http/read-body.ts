import { Refusal } from '../refusal.ts'

/** Far above the largest sensible body, and far below a size that could do harm. */
const bodyMaxBytes = 100_000

/** An event of a provider can contain an invoice with its first lines and all their metadata. */
export const deliveryMaxBytes = 1_000_000

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('payload_too_large', `The body is larger than ${maxBytes} bytes. Send less at once.`)
}

/** Reads the whole body, but never more than the limit. */
export async function readBody(request: Request, maxBytes = bodyMaxBytes): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // Leaving the loop early cancels the stream.
    for await (const chunk of request.body) {
      length += chunk.byteLength
      if (length > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    // The sender closed the connection. Its ECONNRESET must not look like an error of the database.
    throw error instanceof Refusal
      ? error
      : new Refusal('invalid_request', 'The body is not complete. Send the whole of it.')
  }
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

function isJson(contentType: string): boolean {
  return contentType.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

/** The JSON in the body of a change; undefined when the body is empty. */
export async function readJson(request: Request): Promise<unknown> {
  const contentType = request.headers.get('content-type')
  if (contentType !== null && !isJson(contentType)) {
    throw new Refusal('unsupported_media_type', 'The body must be sent as application/json.')
  }
  const bytes = await readBody(request)
  if (bytes.byteLength === 0) return undefined
  if (contentType === null) {
    throw new Refusal('unsupported_media_type', 'The body must be sent as application/json.')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), refusePrototype)
  } catch {
    throw new Refusal('invalid_json', 'The body is not valid JSON. Correct it and send it again.')
  }
}

/** Refuses keys such as `__proto__`, which could change an object's prototype when a later copy is careless. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__')
  return value
}
