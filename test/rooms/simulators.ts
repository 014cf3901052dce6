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

/** The simulated providers import nothing of ours, so that their picture of Stripe and HubSpot is independent. */
export const simulatorRooms: Record<string, Room> = {
  ...stripeRooms,
  simulators: {
    rooms: Object.keys(stripeRooms),
    packages: ['hono', '@hono/node-server', 'tldts', ...files, 'node:crypto', 'node:url'],
  },
}
