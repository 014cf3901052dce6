import { files, type Room } from './room.ts'

/** Inside the simulated Stripe: its data, its requests, its pages and its faults. */
const stripeRooms: Record<string, Room> = {
  'simulators/stripe/world': {},
  'simulators/stripe/requests': {},
  'simulators/stripe/lists': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/objects': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/faults': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/pages': { rooms: ['simulators/stripe/world'], packages: ['hono'] },
}

const worlds = (...names: string[]): string[] => names.map((name) => `simulators/worlds/${name}`)

/** Inside the generated accounts: no room imports a later one, and what is expected never imports bills. */
const worldRooms: Record<string, Room> = {
  'simulators/worlds/numbers': {},
  'simulators/worlds/time': {},
  'simulators/worlds/model': { rooms: worlds('numbers', 'time') },
  'simulators/worlds/expected': { rooms: worlds('model') },
  'simulators/worlds/catalogue': { rooms: worlds('time', 'model') },
  'simulators/worlds/lines': { rooms: worlds('numbers', 'time', 'model') },
  'simulators/worlds/rendering': { rooms: worlds('time', 'model', 'lines') },
  'simulators/worlds/agreements': {
    rooms: worlds('numbers', 'time', 'model', 'expected', 'lines', 'rendering'),
  },
  'simulators/worlds/billing': { rooms: worlds('time', 'model', 'lines', 'rendering', 'agreements') },
  'simulators/worlds/subscriptions': {
    rooms: worlds('numbers', 'time', 'model', 'lines', 'rendering', 'agreements', 'billing'),
  },
  'simulators/worlds/stories': {
    rooms: worlds(
      'numbers',
      'time',
      'model',
      'catalogue',
      'lines',
      'rendering',
      'agreements',
      'billing',
      'subscriptions',
    ),
  },
}

/** The simulated providers import nothing of ours, so that their picture of Stripe and HubSpot is independent. */
export const simulatorRooms: Record<string, Room> = {
  ...stripeRooms,
  ...worldRooms,
  'simulators/ecb': {},
  simulators: {
    rooms: ['simulators/ecb', ...Object.keys(stripeRooms), ...Object.keys(worldRooms)],
    packages: ['hono', '@hono/node-server', 'tldts', ...files, 'node:crypto', 'node:url'],
  },
}
