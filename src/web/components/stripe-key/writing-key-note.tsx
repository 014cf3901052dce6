import { Text } from '@mantine/core'
import { isOrganizationKey } from '#domain/payment-key.ts'

/**
 * Tells of a key that it could do more than is needed. What a restricted key may do cannot be read, so nothing is said
 * of it. `shownKey` is the part of the key that people may see.
 */
export function WritingKeyNote({ shownKey }: { shownKey: string | null }) {
  if (!shownKey?.startsWith('sk_')) return null
  return (
    <Text size="sm" c="dimmed">
      {isOrganizationKey(shownKey)
        ? 'This key works for every account of the Stripe organization. Tributary reads only this one, but a restricted key (rk_) of the account is safer.'
        : 'This key could also write. Tributary never does, but a restricted key (rk_) is safer.'}
    </Text>
  )
}
