import { httpRooms } from './http.ts'
import { files, ofWork, type Room } from './room.ts'

/** The store: each room has its own tables; PostgreSQL itself lies below all, the lists above. */
const store: Record<string, Room> = {
  'server/store/postgres': { packages: ['kysely', 'pg', 'node:crypto'] },
  'server/store/accounts': { ...keeping(), packages: ['kysely', 'node:crypto'] },
  'server/store/connections': keeping(),
  'server/store/totals': keeping(),
  'server/store/payments': keeping('totals'),
  'server/store/ledger': keeping('payments', 'totals'),
  'server/store/recount': keeping('payments', 'ledger'),
  'server/store/reporting': keeping('totals'),
  'server/store/runs': keeping('payments'),
  'server/store/setup': keeping('runs', 'totals'),
  'server/store/crm': keeping('totals'),
  'server/store/matches': keeping('crm', 'totals'),
  'server/store/lists': keeping('crm', 'matches', 'totals'),
  'server/store/erasure': keeping('crm'),
}

const installation: Record<string, Room> = {
  'server/store/installation': {
    rooms: ['server/store/postgres'],
    packages: ['kysely', 'pg', 'node:crypto'],
  },
  'server/store/installation/copy.ts': { packages: ['pg', 'node:stream'] },
  'server/store/installation/backup.ts': {
    rooms: ['server/store/installation', 'server/store/installation/copy.ts'],
    packages: ['pg'],
  },
  'server/store/installation/restore.ts': {
    rooms: [
      'server/store/installation',
      'server/store/installation/migrate.ts',
      'server/store/installation/backup.ts',
      'server/store/installation/copy.ts',
    ],
    packages: ['pg'],
  },
  'server/store/installation/migrate.ts': {
    rooms: ['server/store/installation', 'server/store/postgres'],
    packages: ['pg', 'node:fs/promises', 'node:path'],
  },
  'server/store/installation/inspect-database.ts': {
    rooms: ['server/store/installation', 'server/store/installation/migrate.ts'],
    packages: ['pg'],
  },
  'server/store/installation/pending-migrations.ts': {
    rooms: ['server/store/postgres', 'server/store/installation/migrate.ts'],
  },
}

const everyStoreRoom = Object.keys(store)
const everyServerPart = [
  ...everyStoreRoom,
  'server/providers',
  'server/deps.ts',
  'server/log.ts',
  'server/refusal.ts',
  'server/email-address.ts',
]

const providers: Record<string, Room> = {
  'server/providers': { rooms: ['domain'] },
  'server/providers/send.ts': { packages: ['node:http', 'node:https', 'node:stream', 'node:zlib'] },
  'server/providers/stripe': {
    rooms: ['domain', 'server/providers', 'server/providers/send.ts', 'server/log.ts'],
    packages: ['p-limit', 'stripe', 'zod', 'node:string_decoder'],
  },
  'server/providers/hubspot/app': { packages: ['zod', 'node:net'] },
  'server/providers/hubspot': {
    rooms: ['domain', 'server/providers', 'server/providers/hubspot/app', 'server/log.ts'],
    packages: ['zod'],
  },
  'server/providers/ecb': {
    rooms: ['server/providers'],
    packages: ['node:fs/promises', 'node:path', 'node:zlib'],
  },
  'server/providers/smtp': { rooms: ['server/providers', 'server/settings'], packages: ['nodemailer'] },
  'server/providers/identity/network.ts': { packages: ['node:net'] },
  'server/providers/identity': {
    rooms: [
      'domain',
      'server/providers/identity/network.ts',
      'server/providers',
      'server/store/postgres',
      'server/store/accounts',
      'server/refusal.ts',
      ...['server/email-address.ts', 'server/plain-name.ts'],
      'server/config.ts',
      'server/settings',
      'server/log.ts',
      'server/seal.ts',
    ],
    packages: ['better-auth', 'kysely', 'zod', 'node:async_hooks', 'node:crypto', 'node:fs', 'node:path'],
  },
}

/** The work behind a run or a person's call. First the store rooms that it uses, then other work. */
const work: Record<string, Room> = {
  'server/work/addresses': {
    rooms: ['domain', 'server/email-address.ts'],
    packages: ['tldts', 'email-providers', 'mailchecker'],
  },
  'server/work/runs': working(['connections', 'runs']),
  'server/work/organization': working(
    ['accounts', 'connections'],
    ['addresses', 'mail'],
    ['node:crypto', 'node:util'],
  ),
  'server/work/crm': working(['connections', 'crm', 'reporting']),
  'server/work/mail': working(['accounts']),
  'server/work/erasure': working(
    ['accounts', 'connections', 'crm', 'erasure', 'lists', 'payments', 'runs'],
    ['addresses', 'crm', 'organization'],
    ['node:crypto', 'tldts'],
  ),
  'server/work/connections': working(
    ['accounts', 'connections', 'crm', 'payments', 'runs', 'setup'],
    ['crm', 'erasure', 'mail'],
    ['node:crypto'],
  ),
  'server/work/ledger': working(
    ['accounts', 'ledger', 'lists', 'payments', 'recount', 'reporting', 'runs', 'totals'],
    ['runs'],
  ),
  'server/work/ledger/convert-anew.ts': working(['payments', 'reporting', 'totals'], ['ledger']),
  'server/work/import': working(
    ['connections', 'erasure', 'ledger', 'lists', 'payments', 'runs', 'setup'],
    ['connections', 'erasure', 'ledger', 'organization', 'runs'],
  ),
  'server/work/match': working(['crm', 'matches', 'setup'], ['addresses', 'crm', 'erasure', 'organization']),
  'server/work/push': working(
    ['accounts', 'connections', 'crm', 'erasure', 'lists', 'matches', 'reporting', 'runs', 'setup'],
    ['connections', 'crm', 'import', 'ledger/convert-anew.ts', 'match', 'runs'],
    ['node:crypto'],
  ),
}

/** The API calls by noun: first the work that each uses, then other nouns. Shared files lie at the top. */
const api: Record<string, Room> = {
  'server/api': {
    rooms: [
      'domain',
      'contract',
      ...everyServerPart,
      'server/http',
      ...['connections', 'crm', 'runs'].map(ofWork),
    ],
  },
  'server/api/setup': answering(['crm', 'ledger/convert-anew.ts']),
  'server/api/organization': answering(['erasure', 'mail', 'organization']),
  'server/api/account': answering(['addresses', 'organization'], ['organization', 'setup']),
  'server/api/connections': answering(['connections', 'crm', 'import']),
  'server/api/customers': answering(['addresses'], ['lists']),
  'server/api/erasures': answering(['erasure']),
  'server/api/figures': answering([], ['lists']),
  'server/api/lists': answering(['runs']),
  'server/api/matches': answering(['addresses', 'match'], ['lists']),
  'server/api/operator': answering(['push']),
  'server/api/recounts': answering([], ['lists']),
  'server/api/runs': answering(['import', 'push', 'runs'], ['lists', 'setup']),
}

/** The top of the server: small files for everyone, and the files that assemble the processes. */
const top: Record<string, Room> = {
  'server/settings': {
    rooms: ['server/email-address.ts', 'server/work/addresses'],
    packages: [...files, 'node:crypto', 'node:tls'],
  },
  'server/config.ts': {
    rooms: [
      'server/seal.ts',
      'server/settings',
      'server/http/client-address.ts',
      'server/providers/hubspot/app',
    ],
    packages: ['zod', 'node:crypto'],
  },
  'server/seal.ts': { packages: ['node:crypto'] },
  'server/log.ts': { packages: ['pino'] },
  'server/refusal.ts': { rooms: ['contract'] },
  ...{ 'server/email-address.ts': {}, 'server/plain-name.ts': {}, 'server/traces.ts': {} },
  'server/open-telemetry.ts': {
    rooms: ['server/traces.ts', 'server/settings'],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
      'node:async_hooks',
      'node:http',
      'node:https',
      'node:timers/promises',
    ],
  },
  'server/metrics.ts': { packages: ['prom-client'] },
  'server/outbound.ts': { rooms: ['server/log.ts', 'server/store/postgres', 'server/store/installation'] },
  'server/deps.ts': {
    rooms: [
      'server/store/postgres',
      'server/store/runs',
      'server/providers',
      'server/config.ts',
      'server/log.ts',
      'server/seal.ts',
    ],
  },
  'server/jobs': {
    rooms: [
      'domain',
      ...everyServerPart,
      ...['server/store/installation', 'server/traces.ts'],
      ...['connections', 'crm', 'erasure', 'import', 'ledger', 'ledger/convert-anew.ts', 'push', 'runs'].map(
        ofWork,
      ),
    ],
    packages: ['pg-boss', 'pg', 'kysely'],
  },
  server: {
    rooms: [
      'contract',
      ...everyServerPart,
      'server/store/installation',
      'server/store/installation/migrate.ts',
      'server/store/installation/pending-migrations.ts',
      'server/config.ts',
      'server/settings',
      'server/seal.ts',
      'server/metrics.ts',
      'server/traces.ts',
      'server/open-telemetry.ts',
      'server/outbound.ts',
      ...Object.keys(httpRooms),
      ...Object.keys(api),
      'server/jobs',
      'server/work/connections',
      'server/work/mail',
      ...Object.keys(providers).filter((room) => room !== 'server/providers/identity/network.ts'),
    ],
    packages: [
      'hono',
      '@hono/node-server',
      'node:crypto',
      'node:http',
      'node:path',
      'node:timers/promises',
      'node:tls',
    ],
  },
}

export const serverRooms: Record<string, Room> = {
  ...store,
  ...installation,
  ...providers,
  ...work,
  ...httpRooms,
  ...api,
  ...top,
}

function keeping(...rooms: string[]): Room {
  return {
    rooms: ['domain', 'server/store/postgres', ...rooms.map((room) => `server/store/${room}`)],
    packages: ['kysely'],
  }
}

function working(stores: string[], rooms: string[] = [], packages: string[] = []): Room {
  return {
    rooms: [
      'domain',
      'server/store/postgres',
      ...stores.map((room) => `server/store/${room}`),
      ...rooms.map(ofWork),
      'server/providers',
      'server/deps.ts',
      'server/log.ts',
      'server/refusal.ts',
      ...['server/email-address.ts', 'server/plain-name.ts'],
    ],
    packages,
  }
}

function answering(works: string[], nouns: string[] = []): Room {
  return {
    rooms: [
      'domain',
      'contract',
      ...everyServerPart,
      'server/http',
      'server/api',
      ...nouns.map((noun) => `server/api/${noun}`),
      ...works.map(ofWork),
    ],
  }
}
