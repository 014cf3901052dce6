/**
 * Services behind a proxy: their names are unknown to every name service, so a call reaches them through the proxy
 * or not at all. Their certificates come from an authority that only the tests trust (100 years, made by openssl).
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

const read = (name: string) => readFileSync(join(import.meta.dirname, name))
const certificate = { cert: read('far.pem'), key: read('far.key') }
/** The file for NODE_EXTRA_CA_CERTS. */
export const authorityFile = join(import.meta.dirname, 'authority.pem')

export type FarNetwork = {
  proxyUrl: string
  proxyPort: number
  /** The `host:port` of each tunnel that was asked for with the right credentials, in order. */
  tunnels: string[]
  /** How often somebody came without the right credentials. */
  refused: number
  /** Serves `https://NAME.far.test` by the listener. */
  serve(name: string, listener: RequestListener): Promise<HttpServer>
  /** Makes another server known by its name and port. */
  place(address: string, port: number): void
  close(): Promise<void>
}

/** Opens the network with its proxy, which wants a name and a password. */
export async function openFarNetwork(password: string): Promise<FarNetwork> {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const places = new Map<string, number>()
  const proxy = createHttp((_, answer) => answer.writeHead(403).end())
  const wanted = `Basic ${Buffer.from(`harbour:${password}`).toString('base64')}`
  const listen = async (server: Server): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const proxyPort = await listen(proxy)
  const network: FarNetwork = {
    proxyUrl: `http://harbour:${password}@127.0.0.1:${proxyPort}`,
    proxyPort,
    tunnels: [],
    refused: 0,
    async serve(name, listener) {
      const server = createHttps(certificate, listener)
      places.set(`${name}.far.test:443`, await listen(server))
      return server
    },
    place: (address, port) => void places.set(address, port),
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
    },
  }
  proxy.on('connect', ({ url = '', headers }, near: Socket) => {
    if (headers['proxy-authorization'] !== wanted) {
      network.refused += 1
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    network.tunnels.push(url)
    const far = connect(places.get(url) ?? 0, '127.0.0.1')
    far.once('connect', () => near.write('HTTP/1.1 200 Connection Established\r\n\r\n'))
    far.on('error', () => near.destroy()).pipe(near)
    near.pipe(far)
    near.once('close', () => far.destroy())
  })
  return network
}
