/** Returns the toast that says why a typed key cannot be a Stripe key; null when it may be one. */
export function keyProblem(apiKey: string): { title: string; description: string } | null {
  const key = apiKey.trim()
  // A restricted key (rk_) can be limited to reading, which is enough.
  if (key.startsWith('sk_') || key.startsWith('rk_')) return null
  const description = [
    'API key must start with sk_.',
    ...mistakes.filter(([start]) => key.startsWith(start)).map(([, text]) => text),
  ]
  return { title: 'Invalid API Key', description: description.join(' ') }
}

/** What people paste instead, by its first characters. */
const mistakes: readonly [string, string][] = [
  [
    'pk_',
    'This is a publishable key, which may not read data. Copy the secret key, or make a restricted one.',
  ],
  ['whsec_', 'This is the signing secret of a webhook. Enter it under Webhooks, once Stripe is connected.'],
]

/** Masks the stored key after its first characters: 'sk_test_51Ab••••••••'. */
export function maskedKey(firstChars: string): string {
  const shown = /^[sr]k_/.test(firstChars) ? firstChars : `sk_${firstChars}`
  return `${shown}••••••••`
}
