/** A change at the payment provider reaches its record in the CRM within this time, where it is pushed by itself. */
const withWebhookSeconds = 15
/** We look for changes this often, so without a webhook they take as long. */
export const lookEverySeconds = 5 * 60

/** Where the key may not read what changed, only the hourly run finds it. */
const hourSeconds = 3_600

/** The promise for an organization's records, in seconds. */
export function promisedSeconds(known: { hasWebhook: boolean; readsChanges: boolean }): number {
  if (!known.readsChanges) return hourSeconds + withWebhookSeconds
  return known.hasWebhook ? withWebhookSeconds : lookEverySeconds + withWebhookSeconds
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Minutes after the full hour at which the organization's hourly run begins: they are spread by its number. */
const minuteOf = (organizationId: number) => organizationId % 60

/** When the next hourly run of an organization begins, after `now`. */
export function nextHourlyTurn(organizationId: number, now: Date): Date {
  const firstMs = minuteOf(organizationId) * minuteMs
  const passed = Math.floor((now.getTime() - firstMs) / hourMs)
  return new Date(firstMs + (passed + 1) * hourMs)
}
