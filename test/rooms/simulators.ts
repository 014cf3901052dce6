import { files, type Room } from './room.ts'

/** Inside the simulated Stripe: what it holds, what it was asked, what it shows and how it fails. */
const stripeRooms: Record<string, Room> = {
  'simulators/stripe/world': {},
  'simulators/stripe/requests': {},
  'simulators/stripe/lists': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/objects': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/faults': { rooms: ['simulators/stripe/requests', 'simulators/stripe/world'] },
  'simulators/stripe/pages': { rooms: ['simulators/stripe/world'], packages: ['hono'] },
}

const worlds = (...names: string[]): string[] => names.map((name) => `simulators/worlds/${name}`)

/** Inside the generated accounts: types first, then what lines charge, what is agreed, what is billed, and the stories. */
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

/** The simulated providers know nothing of ours: what they say of Stripe and HubSpot they say by themselves. */
export const simulatorRooms: Record<string, Room> = {
  ...stripeRooms,
  ...worldRooms,
  simulators: {
    rooms: [...Object.keys(stripeRooms), ...Object.keys(worldRooms)],
    packages: ['hono', '@hono/node-server', 'tldts', ...files, 'node:crypto', 'node:url'],
  },
}
