import { Alert } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { useOnline } from '../ui/online.ts'

/** Says that the content may be old and that nothing can be saved. */
export function OfflineNotice() {
  if (useOnline()) return null
  return (
    <Alert color="yellow" role="status" py="xs" icon={<IconWifiOff size={18} aria-hidden />}>
      You are offline: what you see may be out of date, and nothing can be saved.
    </Alert>
  )
}
