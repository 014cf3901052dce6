/** What a room may import: other rooms, and packages, Node's own modules included. Its own files it always may. */
export type Room = { rooms?: readonly string[]; packages?: readonly string[] }

/** Modules for reading and writing files. */
export const files = ['node:fs', 'node:fs/promises', 'node:path']
