import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The owner of a secret. A sealed text that is moved to another place cannot be opened there. */
export type SealPlace = { organizationId: number; provider: string; field: string }

/**
 * Envelope encryption: each secret has its own data key, which the newest key of a versioned ring wraps
 * (AES-256-GCM twice, with the place as additional data).
 */
export type Seal = {
  seal(place: SealPlace, secret: string): string
  /** Throws when the text was changed, moved, or sealed under a key that the ring lacks. */
  open(place: SealPlace, sealed: string): string
  /**
   * Derives a key for another purpose from the key of this version, or from the oldest of the ring. That one stays the
   * same when newer keys are added, and changes when the oldest is removed.
   */
  derive(purpose: string, version?: number): string
  /** The version of the key that seals new secrets. */
  readonly version: number
  /** The versions of the ring, the oldest first. */
  readonly versions: readonly number[]
  /** The key version that a sealed text names; undefined for any other text. */
  versionOf(sealed: string): number | undefined
  /** Whether the ring has the key of this version. */
  hasVersion(version: number): boolean
}

/** Ring keys by version: 32 bytes each. */
export type SealKeys = ReadonlyMap<number, Buffer>

const format = 's1'
const ivBytes = 12
const tagBytes = 16

/** Reads 'VERSION:BASE64[,VERSION:BASE64…]'; throws with a sentence that never repeats the key. */
export function parseSealKeys(text: string): SealKeys {
  const keys = new Map<number, Buffer>()
  for (const part of text.split(',')) {
    const [version = '', encoded = ''] = part.trim().split(':')
    const key = Buffer.from(encoded, 'base64')
    if (!/^[1-9][0-9]{0,5}$/.test(version) || key.length !== 32) {
      throw new Error('must be VERSION:KEY pairs with 32 bytes of base64 each, for example 1:…')
    }
    if (keys.has(Number(version)))
      throw new Error(`names version ${version} twice; a new key takes the next version`)
    keys.set(Number(version), key)
  }
  return keys
}

/** `sealWith` keeps an older version in use until every process has the newest key; without it the newest seals. */
export function createSeal(keys: SealKeys, sealWith?: number): Seal {
  const newest = sealWith ?? Math.max(...keys.keys())
  const ringKey = (version: number): Buffer => {
    const key = keys.get(version)
    if (!key) throw new Error(`The key ring has no key of version ${version}.`)
    return key
  }
  return {
    seal(place, secret) {
      const dataKey = randomBytes(32)
      const wrapped = encrypt(ringKey(newest), dataKey, placeData(place, newest))
      const body = encrypt(dataKey, Buffer.from(secret, 'utf8'), placeData(place, newest))
      return [format, newest, wrapped.toString('base64url'), body.toString('base64url')].join('.')
    },
    open(place, sealed) {
      const [kind, version, wrapped = '', body = ''] = sealed.split('.')
      if (kind !== format) throw new Error('Not a sealed secret.')
      const data = placeData(place, Number(version))
      const dataKey = decrypt(ringKey(Number(version)), Buffer.from(wrapped, 'base64url'), data)
      return decrypt(dataKey, Buffer.from(body, 'base64url'), data).toString('utf8')
    },
    derive(purpose, of = Math.min(...keys.keys())) {
      return Buffer.from(hkdfSync('sha256', ringKey(of), 'tributary', purpose, 32)).toString('base64url')
    },
    versions: [...keys.keys()].sort((a, b) => a - b),
    version: newest,
    versionOf(sealed) {
      const [kind, version] = sealed.split('.')
      return kind === format ? Number(version) : undefined
    },
    hasVersion: (version) => keys.has(version),
  }
}

function placeData(place: SealPlace, version: number): Buffer {
  return Buffer.from(JSON.stringify([place.organizationId, place.provider, place.field, version]), 'utf8')
}

function encrypt(key: Buffer, plain: Buffer, data: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(data)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

function decrypt(key: Buffer, sealed: Buffer, data: Buffer): Buffer {
  if (sealed.length < ivBytes + tagBytes) throw new Error('The sealed secret is cut short.')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes)).setAAD(data)
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}
