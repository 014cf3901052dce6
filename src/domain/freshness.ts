/** Within so many seconds a change at the payment provider reaches its record in the CRM, where it is pushed by itself. */
const withWebhookSeconds = 15
/** Without a webhook we look for changes this often. */
const lookEverySeconds = 5 * 60

/** The promise for an organization's records, in seconds. */
export function promisedSeconds({ hasWebhook }: { hasWebhook: boolean }): number {
  return hasWebhook ? withWebhookSeconds : lookEverySeconds + withWebhookSeconds
}
