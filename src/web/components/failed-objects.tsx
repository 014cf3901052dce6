import { Alert, Box, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { getHubspotObjects } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useToast } from '../ui/toast.tsx'

type CrmObjects = ResponseOf<typeof getHubspotObjects>

type FailedObjectsProps = {
  failed: CrmObjects
  /** The ways to the objects; null where another part of the screen has them. */
  doors: ReactNode
}

/** Says that nothing can be written to a connected portal, why, and what to do. */
export function FailedObjects({ failed, doors }: FailedObjectsProps) {
  const reasons = [...new Set(failed.objects.flatMap(({ reason }) => reason ?? []))]
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title="Connected, but nothing can be written yet"
    >
      <Text size="sm">The custom objects could not be created. {reasons.join(' ')}</Text>
      {failed.advice === null ? null : (
        <Text size="sm" mt="xs">
          {failed.advice}
        </Text>
      )}
      {doors === null ? null : <Box mt="sm">{doors}</Box>}
    </Alert>
  )
}

/** Says in a toast how another try ended. */
export function useObjectsToast() {
  const toast = useToast()
  const failed = 'Custom objects could not be created'
  return {
    onMade: ({ isReady, advice }: CrmObjects) =>
      toast(
        isReady
          ? { title: 'Custom objects created' }
          : { title: failed, description: advice ?? '', isError: true },
      ),
    onFailed: (text: string) => toast({ title: failed, description: text, isError: true }),
  }
}
