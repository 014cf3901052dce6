/**
 * Who may import whom: the architecture as a table. A file belongs to the longest room name that fits it; a room may be
 * a single file. What is not listed is refused, packages and Node's own modules included.
 */
export type Room = { rooms?: string[]; packages?: string[] }

const everyServerPart = [
  'server/store',
  'server/providers',
  'server/deps.ts',
  'server/log.ts',
  'server/refusal.ts',
]

const webParts = [
  'domain',
  'contract',
  'web/ui',
  'web/paths.ts',
  'web/client.ts',
  'web/identity',
  'web/queries',
  'web/components',
]
const webPackages = [
  'react',
  'react-router',
  '@tanstack/react-query',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/charts',
  '@tabler/icons-react',
  'zod',
]
const files = ['node:fs', 'node:fs/promises', 'node:path']

/** Inside the simulated Stripe: what it holds, what it was asked, what it shows and how it fails. */
const stripeRooms: Record<string, Room> = {
  'simulators/stripe/world': {},
  'simulators/stripe/requests': {},
  'simulators/stripe/lists': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/objects': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/faults': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/pages': { rooms: ['simulators/stripe/world'], packages: ['hono'] },
}

/** Inside the domain: the engine stands on bills, climbs from exact figures to the rebuild, and knows nothing above it. */
const domainRooms: Record<string, Room> = {
  domain: {},
  'domain/crm-record.ts': { rooms: ['domain', 'domain/mrr/receipts'] },
  'domain/recount.ts': { rooms: ['domain', 'domain/crm-record.ts'] },
  'domain/mrr/exact': { rooms: ['domain'] },
  'domain/mrr/prices': inEngine('exact'),
  'domain/mrr/bills': inEngine('exact', 'prices'),
  'domain/mrr/terms': inEngine('exact', 'prices', 'bills'),
  'domain/mrr/timeline': inEngine('exact', 'bills', 'terms'),
  'domain/mrr/events': inEngine('exact', 'terms', 'timeline'),
  'domain/mrr/receipts': inEngine('exact', 'prices', 'bills', 'terms', 'timeline', 'events'),
  'domain/mrr/ledger': inEngine('events'),
  'domain/mrr': inEngine('exact', 'bills', 'terms', 'timeline', 'events', 'receipts'),
}

function inEngine(...names: string[]): Room {
  return { rooms: ['domain', ...names.map((name) => `domain/mrr/${name}`)] }
}

export const rooms: Record<string, Room> = {
  ...domainRooms,
  contract: { rooms: ['domain'], packages: ['zod'] },

  'server/config.ts': {
    rooms: ['server/seal.ts', 'server/http/client-address.ts'],
    packages: ['zod', 'node:crypto'],
  },
  'server/seal.ts': { packages: ['node:crypto'] },
  'server/log.ts': { packages: ['pino'] },
  'server/refusal.ts': { rooms: ['contract'] },
  'server/deps.ts': {
    rooms: ['server/store', 'server/providers', 'server/config.ts', 'server/log.ts', 'server/seal.ts'],
  },
  'server/store': { rooms: ['domain'], packages: ['kysely', 'pg', 'node:crypto'] },
  'server/store/installation/copy.ts': { packages: ['pg', 'node:stream'] },
  'server/store/installation/backup.ts': {
    rooms: ['server/store', 'server/store/installation/copy.ts'],
    packages: ['pg'],
  },
  'server/store/installation/restore.ts': {
    rooms: [
      'server/store',
      'server/store/installation/migrate.ts',
      'server/store/installation/backup.ts',
      'server/store/installation/copy.ts',
    ],
    packages: ['pg'],
  },
  'server/store/installation/pending-migrations.ts': { rooms: ['server/store', 'server/store/installation/migrate.ts'] },
  'server/store/installation/migrate.ts': {
    rooms: ['server/store'],
    packages: ['pg', 'node:fs/promises', 'node:path'],
  },
  'server/providers': { rooms: ['domain'] },
  'server/providers/send.ts': { packages: ['node:http', 'node:https', 'node:stream', 'node:zlib'] },
  'server/providers/stripe': {
    rooms: ['domain', 'server/providers', 'server/providers/send.ts', 'server/log.ts'],
    packages: ['p-limit', 'stripe', 'zod', 'node:string_decoder'],
  },
  'server/providers/hubspot': { rooms: ['domain', 'server/providers', 'server/log.ts'], packages: ['zod'] },
  'server/providers/identity/network.ts': { packages: ['node:net'] },
  'server/providers/identity': {
    rooms: [
      'server/providers/identity/network.ts',
      'server/refusal.ts',
      'domain',
      'server/store',
      'server/providers',
      'server/config.ts',
      'server/log.ts',
      'server/seal.ts',
      'server/work',
    ],
    packages: ['better-auth', 'kysely', 'zod', 'node:async_hooks', 'node:crypto', 'node:fs', 'node:path'],
  },
  'server/providers/smtp': {
    rooms: ['server/store', 'server/providers', 'server/log.ts'],
    packages: ['nodemailer'],
  },
  'server/http/client-address.ts': { packages: ['node:net'] },
  'server/http': {
    rooms: [
      'domain',
      'contract',
      ...everyServerPart,
      'server/http/client-address.ts',
      'server/providers/identity/network.ts',
    ],
    packages: ['hono', 'zod', 'node:crypto', 'node:http', 'node:net'],
  },
  'server/work': {
    rooms: ['domain', ...everyServerPart],
    packages: ['node:crypto', 'tldts', 'email-providers', 'mailchecker'],
  },
  'server/api': { rooms: ['domain', 'contract', ...everyServerPart, 'server/work', 'server/http'] },
  'server/jobs': {
    rooms: ['domain', ...everyServerPart, 'server/work'],
    packages: ['pg-boss', 'pg', 'kysely'],
  },
  server: {
    rooms: [
      ...everyServerPart,
      'server/store/installation/migrate.ts',
      'server/store/installation/pending-migrations.ts',
      'server/config.ts',
      'server/seal.ts',
      'contract',
      'server/http',
      'server/http/client-address.ts',
      'server/api',
      'server/jobs',
      'server/providers/send.ts',
      'server/providers/stripe',
      'server/providers/hubspot',
      'server/providers/identity',
      'server/providers/smtp',
    ],
    packages: [
      'hono',
      '@hono/node-server',
      'node:crypto',
      ...files,
      'node:timers/promises',
      'node:zlib',
      'prom-client',
    ],
  },

  'web/ui': {
    packages: [
      'react',
      '@mantine/core',
      '@mantine/hooks',
      '@mantine/charts',
      '@tabler/icons-react',
      'radix-ui',
    ],
  },
  'web/page-session.ts': {},
  'web/client.ts': {
    rooms: ['contract', 'web/page-session.ts'],
    packages: ['react', '@tanstack/react-query', 'zod'],
  },
  'web/paths.ts': { rooms: ['domain'] },
  'web/identity': { rooms: ['web/client.ts', 'web/paths.ts'], packages: ['better-auth', 'react'] },
  'web/queries': {
    rooms: ['domain', 'contract', 'web/page-session.ts', 'web/client.ts', 'web/identity'],
    packages: ['react', '@tanstack/react-query', 'zod'],
  },
  'web/components': {
    rooms: ['domain', 'contract', 'web/ui', 'web/paths.ts'],
    packages: ['react', 'react-router', '@mantine/core', '@mantine/hooks', '@tabler/icons-react', 'zod'],
  },
  'web/screens': { rooms: webParts, packages: webPackages },
  web: {
    rooms: [...webParts, 'web/page-session.ts', 'web/screens'],
    packages: [...webPackages, 'react-dom'],
  },

  ...stripeRooms,
  simulators: {
    rooms: Object.keys(stripeRooms),
    packages: ['hono', '@hono/node-server', 'tldts', ...files, 'node:crypto', 'node:url'],
  },
  cli: {
    rooms: [
      'domain',
      'server',
      ...everyServerPart,
      'server/store/installation/migrate.ts',
      'server/store/installation/backup.ts',
      'server/store/installation/restore.ts',
      'server/config.ts',
      'server/seal.ts',
      'server/jobs',
      'server/work',
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

/** The rooms inside these bind those inside; whoever may know the whole may know each of them. */
const wholes = ['domain', 'simulators']

/** In these no import makes a circle, of a type neither, and no folder holds more files than somebody can look through. */
export const orderly = ['domain/', 'simulators/stripe/']
export const mostFilesInFolder = 25

/** Folders inside these rooms are strangers to one another. */
export const strangers = ['web/screens', 'simulators']

/** Folders inside a stranger room that the others there may use all the same. */
export const sharedAmongStrangers = ['simulators/faults']

/** The longest room that holds the file (a path below src/), or undefined. */
export function roomOf(file: string): string | undefined {
  return Object.keys(rooms)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
}

/** Why the import of `target` from `file` breaks the law, or undefined. Paths are below src/; packages by name. */
export function violation(file: string, specifier: string): string | undefined {
  const room = roomOf(file)
  if (room === undefined) return `${file} lies in no room`
  if (!specifier.startsWith('.') && !specifier.startsWith('#')) return packageViolation(file, room, specifier)
  const target = targetOf(file, specifier) ?? ''
  const targetRoom = roomOf(target)
  if (targetRoom === undefined) return `${file} imports ${target}, which lies in no room`
  const isSame = topRoom(file) === topRoom(target)
  if (specifier.startsWith('.') && !isSame)
    return `${file} reaches ${target} by a relative path through a wall`
  if (specifier.startsWith('#') && isSame) return `${file} writes #${target} inside its own room`
  const whole = wholes.find((each) => target.startsWith(`${each}/`) && !file.startsWith(`${each}/`))
  const known = whole ?? targetRoom
  if (known !== room && !rooms[room]?.rooms?.includes(known)) return `${room} may not know ${known} (${file})`
  return strangerViolation(file, target)
}

function packageViolation(file: string, room: string, specifier: string): string | undefined {
  const name = specifier.startsWith('@')
    ? specifier.split('/').slice(0, 2).join('/')
    : specifier.split('/')[0]
  const wanted = specifier.startsWith('node:') ? specifier : (name ?? specifier)
  return rooms[room]?.packages?.includes(wanted)
    ? undefined
    : `${room} may not use the package ${wanted} (${file})`
}

function strangerViolation(file: string, target: string): string | undefined {
  for (const room of strangers) {
    const folder = (path: string) => path.slice(room.length + 1).split('/')[0] ?? ''
    const isInside = file.startsWith(`${room}/`) && target.startsWith(`${room}/`)
    const isAtTop = !file.slice(room.length + 1).includes('/')
    if (isInside && !isAtTop && folder(file) !== folder(target)) {
      if (!sharedAmongStrangers.includes(`${room}/${folder(target)}`))
        return `${file} and ${target} are strangers`
    }
  }
  return undefined
}

/** Relative paths are at home in domain, contract, server, web, simulators and cli as wholes. */
function topRoom(file: string): string {
  return file.split('/')[0] ?? ''
}

/** The file below src/ that an import of our own names; undefined for a package. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? resolvePath(file, specifier) : undefined
}

/** A way from something back to itself along arrows, its names in order; undefined without any. */
export function circleIn(arrows: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  const walk = (name: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of arrows.get(name) ?? []) {
      const circle = walk(next, [...path, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  for (const name of arrows.keys()) {
    const circle = walk(name, [])
    if (circle) return circle
  }
  return undefined
}

function resolvePath(file: string, specifier: string): string {
  const parts = file.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The specifiers that a source names, comments left out. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const forms = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  ]
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''))
}
