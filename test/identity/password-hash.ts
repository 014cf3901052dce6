import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { hashPassword } from 'better-auth/crypto'

type Done = (error: Error | null, key: Buffer) => void

const derive = crypto.scrypt as (
  password: string,
  salt: string,
  length: number,
  options: ScryptOptions,
  done: Done,
) => void
const derived = new Map<string, Promise<Buffer>>()
const hashes = new Map<string, Promise<string>>()

const remembering: typeof derive = (password, salt, length, options, done) => {
  const asked = JSON.stringify([password, salt, length, options])
  const key = derived.get(asked) ?? keyOf(password, salt, length, options)
  derived.set(asked, key)
  key.then(
    (found) => done(null, found),
    (error: Error) => done(error, Buffer.alloc(0)),
  )
}

function keyOf(...asked: [string, string, number, ScryptOptions]): Promise<Buffer> {
  return new Promise((done, failed) =>
    derive(...asked, (error, key) => (error === null ? done(key) : failed(error))),
  )
}

/**
 * Hashing is slow by design, and tests sign in one person after another with the same password: from now on, this process
 * derives the key of a password and its salt once.
 */
export function rememberHashes(): void {
  if (crypto.scrypt === Object(remembering)) return
  crypto.scrypt = remembering as typeof crypto.scrypt
  syncBuiltinESMExports()
}

/** From now on, this process derives a key each time it is asked for. */
export function forgetHashes(): void {
  crypto.scrypt = derive as typeof crypto.scrypt
  syncBuiltinESMExports()
}

/** The hash of a password, with the same salt for everybody. */
export function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}
