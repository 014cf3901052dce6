import { files, type Room } from './room.ts'

/** The commands: apart from the server's process the only place that chooses adapters. */
export const cliRooms: Record<string, Room> = {
  cli: {
    rooms: [
      'domain',
      'server',
      'server/deps.ts',
      'server/log.ts',
      'server/refusal.ts',
      'server/config.ts',
      'server/settings',
      'server/seal.ts',
      'server/store/postgres',
      'server/store/connections',
      'server/store/runs',
      'server/store/installation',
      'server/store/installation/migrate.ts',
      'server/store/installation/backup.ts',
      'server/store/installation/restore.ts',
      'server/jobs',
      'server/work/connections',
      'server/work/erasure',
      'server/work/import',
      'server/work/organization',
      'server/work/push',
      'server/providers',
      'server/providers/stripe',
      'server/providers/identity',
      'simulators',
    ],
    packages: [
      ...files,
      'node:process',
      'node:stream/promises',
      'node:util',
      'node:zlib',
      '@hono/node-server',
      'zod',
    ],
  },
}
