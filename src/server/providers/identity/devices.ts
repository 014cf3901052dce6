import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Seal } from '../../seal.ts'

const secondsOfDay = 86_400
/** A browser is known for so long after it was last signed in. */
const deviceDays = 180
export const deviceSeconds = deviceDays * secondsOfDay
export const deviceCookie = 'device'
const idBytes = 18

/**
 * Browsers that have been signed in with an address, told by a signed cookie: guesses from elsewhere use up nothing of
 * theirs. The cookie lets nobody in, and says nothing of the address to whoever reads it.
 */
export function createDevices({ seal, now }: { seal: Pick<Seal, 'derive'>; now: () => Date }) {
  const secret = seal.derive('devices')
  const macOf = (id: string, day: string, email: string) =>
    createHmac('sha256', secret).update(`${id} ${day} ${email}`).digest()
  const today = () => Math.floor(now().getTime() / 1_000 / secondsOfDay)

  return {
    /** What the cookie of a browser holds that was just signed in. */
    issue(email: string): string {
      const [id, day] = [randomBytes(idBytes).toString('base64url'), String(today())]
      return `${id}.${day}.${macOf(id, day, email).toString('base64url')}`
    },
    /** The device that a cookie proves for the address; null for any other text. */
    find(cookie: string | undefined, email: string | null): string | null {
      const [id = '', day = '', mac = ''] = cookie?.split('.') ?? []
      if (email === null || today() - Number(day) > deviceDays) return null
      const given = Buffer.from(mac, 'base64url')
      const expected = macOf(id, day, email)
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
    },
  }
}

export type Devices = ReturnType<typeof createDevices>
