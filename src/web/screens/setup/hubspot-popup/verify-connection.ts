/** The intervals of the verification: HubSpot may need a moment until a new connection answers. */
export const verifyTries = 3
export const verifyWaitMs = 2_000

/** Asks up to three times, two seconds apart, whether the connection works. A failed call counts as no. */
export async function verifyConnection(
  isConnected: () => Promise<boolean>,
  sleep: (ms: number) => Promise<void>,
): Promise<boolean> {
  for (let tries = 1; tries <= verifyTries; tries += 1) {
    if (await isConnected().catch(() => false)) return true
    if (tries < verifyTries) await sleep(verifyWaitMs)
  }
  return false
}
