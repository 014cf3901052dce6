import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Seal } from '../../seal.ts'

const secondsOfDay = 86_400
/** How long a browser stays known after its last sign-in. */
const deviceDays = 180
export const deviceSeconds = deviceDays * secondsOfDay
export const deviceCookie = 'device'
const idBytes = 18

/**
 * Remembers browsers that were signed in with an address, by a signed cookie. Guesses from other browsers do not
 * use up their budget. The cookie grants no access and does not reveal the address.
 */
export function createDevices({ seal, now }: { seal: Pick<Seal, 'derive'>; now: () => Date }) {
  const secret = seal.derive('devices')
  const macOf = (id: string, day: string, email: string) =>
    createHmac('sha256', secret).update(`${id} ${day} ${email}`).digest()
  const today = () => Math.floor(now().getTime() / 1_000 / secondsOfDay)

  return {
    /** The cookie's content for a browser that has just signed in. */
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
