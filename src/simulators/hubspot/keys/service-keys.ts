import { createHash } from 'node:crypto'
import type { Portal, ServiceKey } from '../entities.ts'
import type { World } from '../world.ts'

/** How long a rotated key goes on working, unless it is ended at once. */
const rotatedLifeMs = 7 * 24 * 60 * 60 * 1_000

/** Makes a key with the chosen scopes; HubSpot adds `oauth` to every key. */
export function makeServiceKey(
  world: World,
  portal: Portal,
  name: string,
  scopes: readonly string[],
): ServiceKey {
  const made: ServiceKey = {
    key: nextKey(world, portal),
    hubId: portal.hubId,
    name,
    scopes: [...new Set(['oauth', ...scopes])],
    expiresAt: null,
    deleted: false,
  }
  world.serviceKeys.put(made.key, made)
  return made
}

/** Replaces a key by a new one with the same scopes; the old one ends now or after some days. */
export function rotateServiceKey(
  world: World,
  portal: Portal,
  old: ServiceKey,
  endsNow: boolean,
): ServiceKey {
  world.serviceKeys.put(old.key, { ...old, expiresAt: world.now() + (endsNow ? 0 : rotatedLifeMs) })
  return makeServiceKey(world, portal, old.name, old.scopes)
}

/** The key, if it still works. */
export function findServiceKey(world: World, key: string): ServiceKey | undefined {
  const known = world.serviceKeys.get(key)
  const isEnded = known?.deleted || (known?.expiresAt != null && known.expiresAt <= world.now())
  return isEnded ? undefined : known
}

/** `pat-`, the region and a UUID: the form seen of these keys. It cannot be guessed without the client secret. */
function nextKey(world: World, portal: Portal): string {
  const seed = `${world.settings.clientSecret}/service-key/${world.nextNumber('secret')}`
  const hex = createHash('sha256').update(seed).digest('hex')
  const uuid = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hex)?.slice(1).join('-')
  return `pat-${portal.dataHostingLocation}-${uuid}`
}
