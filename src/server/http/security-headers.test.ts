import { expect, it } from 'vitest'
import { securityHeadersOf } from './security-headers.ts'

const policyWith = (oidc: { issuer: string } | null) =>
  securityHeadersOf({ publicUrl: 'https://tributary.example', oidc })['content-security-policy']?.split('; ')

it('lets pictures in by https alone, and from the hosted identity provider', () => {
  expect(policyWith(null)).toContain("img-src 'self' data: https:")
  expect(policyWith({ issuer: 'https://id.example/realm' })).toContain(
    "img-src 'self' data: https: https://id.example",
  )
})
