import { files, type Room } from './room.ts'

/** How a call comes in and its answer goes out. */
export const httpRooms: Record<string, Room> = {
  'server/http/client-address.ts': { packages: ['node:net'] },
  'server/http/metrics-server.ts': {
    rooms: ['server/metrics.ts', 'server/settings'],
    packages: ['hono', '@hono/node-server'],
  },
  'server/http/web-files.ts': { rooms: ['server/http', 'server/log.ts'], packages: [...files, 'node:zlib'] },
  'server/http': {
    rooms: [
      'domain',
      'contract',
      'server/store/postgres',
      'server/store/accounts',
      'server/store/installation',
      'server/store/installation/pending-migrations.ts',
      'server/providers',
      'server/providers/identity',
      'server/providers/identity/network.ts',
      'server/deps.ts',
      'server/log.ts',
      'server/refusal.ts',
      'server/settings',
      'server/outbound.ts',
      'server/http/client-address.ts',
    ],
    packages: ['hono', 'zod', 'node:crypto', 'node:http', 'node:net', 'node:util'],
  },
}
