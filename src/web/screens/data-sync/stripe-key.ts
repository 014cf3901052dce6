/** Why a typed key cannot be one of Stripe's, as a toast says it; null when it may be. */
export function keyProblem(apiKey: string): { title: string; description: string } | null {
  const key = apiKey.trim()
  // Restricted keys (rk_) can be limited to reading, which is all that is needed.
  if (key.startsWith('sk_') || key.startsWith('rk_')) return null
  return { title: 'Invalid API Key', description: 'API key must start with sk_.' }
}

/** The first characters of the stored key with the rest masked: 'sk_test_51Ab••••••••'. */
export function maskedKey(firstChars: string): string {
  const shown = /^[sr]k_/.test(firstChars) ? firstChars : `sk_${firstChars}`
  return `${shown}••••••••`
}
