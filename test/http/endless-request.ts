export const chunkBytes = 10_000

/** A request without an end, and how much of it was read. A stream makes its first piece before anybody reads. */
export function endlessRequest(
  address: string,
  headers: Record<string, string>,
): { request: Request; taken(): number } {
  let taken = 0
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      taken += chunkBytes
      stream.enqueue(new Uint8Array(chunkBytes))
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return { request: new Request(address, init), taken: () => taken }
}
