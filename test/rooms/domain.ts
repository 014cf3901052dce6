import type { Room } from './room.ts'

/** Inside the domain: the engine builds on bills, leads from exact figures to the rebuild, and knows nothing above it. */
export const domainRooms: Record<string, Room> = {
  domain: {},
  'domain/crm-record.ts': { rooms: ['domain', 'domain/mrr/receipts'] },
  'domain/recount.ts': { rooms: ['domain', 'domain/crm-record.ts'] },
  'domain/reporting': { rooms: ['domain', 'domain/mrr/exact'] },
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
