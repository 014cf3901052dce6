import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createHubspotObjects, getHubspotObjects } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { useToast } from '../../ui/toast.tsx'
import { StepFrame } from './step-frame.tsx'
import { useAdvance } from './use-advance.ts'

type CrmObjects = ResponseOf<typeof getHubspotObjects>

/** Shown when the custom objects could not be made: what failed, what to do, and another try. */
export function ObjectsStep() {
  const { advance, isSaving } = useAdvance('objects')
  const toast = useToast()
  const client = useQueryClient()
  const objects = useEndpoint(getHubspotObjects, {}, { staleTime: 0 })
  const retry = useMutation({
    mutationFn: () => call(createHubspotObjects),
    onSuccess: (made) => {
      client.setQueryData(endpointKey(getHubspotObjects, {}), made)
      toast(
        made.isReady
          ? { title: 'Custom objects created' }
          : { title: 'Custom objects could not be created', description: made.advice ?? '', isError: true },
      )
    },
    onError: (error) => {
      const description = serverText(error, 'HubSpot could not be reached. Please try again.')
      toast({ title: 'Custom objects could not be created', description, isError: true })
    },
  })
  const isReady = objects.data?.isReady === true
  return (
    <StepFrame
      step="objects"
      title="Custom Objects"
      text="Subscriptions and events are kept in HubSpot as two custom objects."
      actions={
        <>
          <Button
            variant={isReady ? 'default' : 'filled'}
            loading={retry.isPending || objects.isFetching}
            onClick={() => retry.mutate()}
          >
            Retry
          </Button>
          <Button
            variant={isReady ? 'filled' : 'default'}
            disabled={!isReady}
            loading={isSaving}
            onClick={() => void advance()}
          >
            Continue
          </Button>
        </>
      }
    >
      {objects.error === null ? null : (
        <Alert color="red" role="alert" title="The custom objects could not be checked">
          {objects.error.message}
        </Alert>
      )}
      {objects.data === undefined ? null : <ObjectStates objects={objects.data} />}
    </StepFrame>
  )
}

function ObjectStates({ objects: { isReady, objects, advice } }: { objects: CrmObjects }) {
  return (
    <Stack>
      <Alert
        color={isReady ? 'green' : 'yellow'}
        icon={isReady ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={isReady ? 'Both custom objects exist' : 'The custom objects could not be created'}
      >
        {advice}
      </Alert>
      <List>
        {objects.map((object) => (
          <List.Item key={object.name}>
            <Text span fw={600}>
              {object.label}
            </Text>
            : {object.state}
            {object.reason === null ? '' : `. ${object.reason}`}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
