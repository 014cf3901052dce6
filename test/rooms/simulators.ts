import { files, type Room } from './room.ts'

/** The simulated providers know nothing of ours: what they say of Stripe and HubSpot they say by themselves. */
export const simulatorRooms: Record<string, Room> = {
  simulators: { packages: ['hono', '@hono/node-server', 'tldts', ...files, 'node:crypto', 'node:url'] },
}
