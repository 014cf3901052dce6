import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** Ends PostgreSQL's answer to an idle session: 'Z', a length of 5, 'I'. */
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

export type Pooler = { url: string; close(): Promise<void> }

/**
 * A pooler between clients and the PostgreSQL of the address. `sharing` exchanges the connections of its first two clients
 * after each transaction, as a pooler by transactions may, and knows nothing of prepared statements.
 */
export async function startPooler(of: string, { sharing }: { sharing: boolean }): Promise<Pooler> {
  const target = listenerOf(new URL(of))
  const pairs: { client: Socket; server: Socket }[] = []
  const pooler = createServer((client) => {
    const pair = { client, server: connect(target) }
    const { server } = pair
    pairs.push(pair)
    client.on('data', (piece) => pair.server.write(piece))
    client.on('close', () => {
      pairs.splice(pairs.indexOf(pair), 1)
      pair.server.destroy()
    })
    for (const socket of [client, server]) socket.on('error', () => {})
    server.on('data', (piece: Buffer) => {
      pairs.find((one) => one.server === server)?.client.write(piece)
      const [one, other] = pairs
      if (sharing && one && other && piece.subarray(-idle.length).equals(idle))
        [one.server, other.server] = [other.server, one.server]
    })
  })
  await new Promise<void>((done) => pooler.listen(0, '127.0.0.1', done))
  const address = pooler.address()
  const url = new URL(of)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${typeof address === 'object' && address?.port}`
  return { url: url.href, close: () => new Promise((done) => pooler.close(() => done())) }
}

/** Where PostgreSQL listens: at a socket file in the folder that the address names, or at a port. */
function listenerOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const folder = searchParams.get('host')
  return folder === null ? { host: hostname, port: Number(port) } : { path: `${folder}/.s.PGSQL.${port}` }
}
