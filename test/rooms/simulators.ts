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

/** The simulated providers know nothing of ours: what they say of Stripe and HubSpot they say by themselves. */
export const simulatorRooms: Record<string, Room> = {
  ...stripeRooms,
  simulators: {
    rooms: Object.keys(stripeRooms),
    packages: ['hono', '@hono/node-server', 'tldts', ...files, 'node:crypto', 'node:url'],
  },
}
