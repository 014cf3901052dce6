/** What a room may import: other rooms and packages, including Node's own modules. Its own files are always allowed. */
export type Room = { rooms?: readonly string[]; packages?: readonly string[] }

/** Modules for reading and writing files. */
export const files = ['node:fs', 'node:fs/promises', 'node:path']

/** The place of a room of work. */
export const ofWork = (room: string) => `server/work/${room}`
