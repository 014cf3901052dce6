import { Alert } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFirstImport } from '../queries/sync-status.ts'

/** Says on every screen that what it shows is not complete yet, while the first import goes on. */
export function ImportBanner() {
  if (!useIsFirstImport()) return null
  return (
    <Alert
      component="aside"
      aria-label="Import in progress"
      role="note"
      color="blue"
      py="xs"
      icon={<IconRefresh size={18} aria-hidden />}
    >
      Your Stripe history is being imported. Figures and lists are not complete until the import has ended.
    </Alert>
  )
}
