/** Returns the toast that says why a typed key cannot be a Stripe key; null when it may be one. */
export function keyProblem(apiKey: string): { title: string; description: string } | null {
  const key = apiKey.trim()
  // A restricted key (rk_) can be limited to reading, which is enough.
  if (key.startsWith('sk_') || key.startsWith('rk_')) return null
  return { title: 'Invalid API Key', description: 'API key must start with sk_.' }
}

/** Masks the stored key after its first characters: 'sk_test_51Ab••••••••'. */
export function maskedKey(firstChars: string): string {
  const shown = /^[sr]k_/.test(firstChars) ? firstChars : `sk_${firstChars}`
  return `${shown}••••••••`
}
