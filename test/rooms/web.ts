import type { Room } from './room.ts'

const parts = [
  'domain',
  'contract',
  'web/ui',
  'web/paths.ts',
  'web/client.ts',
  'web/identity',
  'web/queries',
  'web/components',
]
const packages = [
  'react',
  'react-router',
  '@tanstack/react-query',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/charts',
  '@tabler/icons-react',
  'zod',
]

/** The code of the browser: it knows the contract and the domain, and nothing of the server. */
export const webRooms: Record<string, Room> = {
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
  'web/paths.ts': { rooms: ['domain', 'contract'] },
  'web/identity': {
    rooms: ['contract', 'web/client.ts', 'web/paths.ts'],
    packages: ['better-auth', 'react'],
  },
  'web/queries': {
    rooms: ['domain', 'contract', 'web/page-session.ts', 'web/client.ts', 'web/identity'],
    packages: ['react', '@tanstack/react-query', 'zod'],
  },
  'web/components': {
    rooms: ['domain', 'contract', 'web/ui', 'web/paths.ts'],
    packages: [
      'react',
      'react-router',
      '@mantine/core',
      '@mantine/hooks',
      '@mantine/charts',
      '@tabler/icons-react',
      'zod',
    ],
  },
  // The QR code of an authenticator app's key.
  'web/screens/account': { rooms: parts, packages: [...packages, 'qr'] },
  'web/screens': { rooms: parts, packages },
  'web/shell/command': { rooms: parts, packages: [...packages, '@mantine/spotlight'] },
  web: {
    rooms: [...parts, 'web/page-session.ts', 'web/screens', 'web/screens/account', 'web/shell/command'],
    packages: [...packages, 'react-dom'],
  },
}
