/**
 * The rules of imports: the architecture as a table, in `test/rooms`. A file belongs to the longest room name that fits
 * it; a room may be a single file. Imports not listed are refused, including packages and Node's own modules.
 */
import { cliRooms } from './rooms/cli.ts'
import { domainRooms } from './rooms/domain.ts'
import type { Room } from './rooms/room.ts'
import { serverRooms } from './rooms/server.ts'
import { simulatorRooms } from './rooms/simulators.ts'
import { webRooms } from './rooms/web.ts'

export const rooms: Record<string, Room> = {
  ...domainRooms,
  contract: { rooms: ['domain'], packages: ['zod'] },
  ...serverRooms,
  ...webRooms,
  ...simulatorRooms,
  ...cliRooms,
}

/** The rules of these rooms apply to their inner rooms; a file that may import the whole may import each inner room. */
const wholes = ['domain', 'simulators']

/** Here imports, even of types, must not form a circle, and a folder must stay small enough to look through. */
export const orderly = ['domain/', 'simulators/', 'contract/', 'server/', 'web/', 'cli/']
export const mostFilesInFolder = 25

/** Folders inside these rooms must not import one another. */
export const strangers = ['web/screens', 'simulators']

/** Folders inside a stranger room that the other folders may still import. */
export const sharedAmongStrangers = ['simulators/faults']

/** The longest room name that fits the file (a path below src/), or undefined. */
export function roomOf(file: string): string | undefined {
  return Object.keys(rooms)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
}

/** Why the import of `target` from `file` breaks the rules, or undefined. Paths are below src/; packages by name. */
export function violation(file: string, specifier: string): string | undefined {
  const room = roomOf(file)
  if (room === undefined) return `${file} lies in no room`
  const target = targetOf(file, specifier)
  if (target === undefined) return packageViolation(file, room, specifier)
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

/** Relative imports may cross rooms only within domain, contract, server, web, simulators and cli. */
function topRoom(file: string): string {
  return file.split('/')[0] ?? ''
}

/** The file below src/ that one of our own imports names; undefined for a package. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? resolvePath(file, specifier) : undefined
}

/** A path along the arrows from a name back to itself; undefined if there is none. */
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

/** These name providers by role; a brand appears in an adapter, on the wire, on a screen, and in the one file of names. */
export const unbranded = ['server/work/', 'domain/']
const filesOfNames = ['domain/provider-names.ts']

/** The brands that a file of an unbranded room names, in texts and comments, or as a value of its own. */
export function brandsIn(file: string, source: string): string[] {
  if (!unbranded.some((place) => file.startsWith(place)) || filesOfNames.includes(file)) return []
  return source.match(/\b(?:Stripe|HubSpot)\b|(?<=['"`])(?:stripe|hubspot)(?=['"`])/g) ?? []
}

/** The import specifiers of a source, without those in comments. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const forms = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  ]
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''))
}
