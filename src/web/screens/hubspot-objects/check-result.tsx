import { Alert, Badge, Card, Code, Group, List, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type CheckedObject, useTakeOver } from '../../queries/object-check.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import { useToast } from '../../ui/toast.tsx'

const effects = {
  blocks: { label: 'Fix in HubSpot', color: 'red' },
  missing: { label: 'Tributary adds it if HubSpot allows', color: 'yellow' },
  looks: { label: 'Optional', color: 'gray' },
} as const

/** What stands in HubSpot beside what has to, object by object, and the confirmation of what somebody else made. */
export function CheckResult({ checked }: { checked: CheckedObject[] }) {
  return (
    <Stack component="section" aria-label="What is in HubSpot" role="region" aria-live="polite">
      {checked.map((object) => (
        <Checked key={object.name} object={object} />
      ))}
      <Confirmation checked={checked} />
    </Stack>
  )
}

function fits({ objectTypeId, differences }: CheckedObject): boolean {
  return objectTypeId !== null && differences.every(({ effect }) => effect !== 'blocks')
}

/** Whether nothing is left to do for the object but what is optional. */
export function isComplete(object: CheckedObject): boolean {
  return fits(object) && object.differences.every(({ effect }) => effect === 'looks')
}

function Checked({ object }: { object: CheckedObject }) {
  const isFitting = fits(object)
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {object.label} <Code>{object.name}</Code>
        </Title>
        <Badge variant="light" color={isComplete(object) ? 'green' : isFitting ? 'yellow' : 'red'}>
          {isComplete(object)
            ? 'Fits'
            : isFitting
              ? 'Fits, not complete'
              : object.objectTypeId === null
                ? 'Not found'
                : 'Does not fit'}
        </Badge>
      </Group>
      {object.differences.length === 0 ? null : (
        <List mt="sm" spacing="xs" size="sm">
          {object.differences.map(({ property, effect, text }) => (
            <List.Item key={`${property} ${text}`}>
              {property === null ? null : (
                <>
                  <Code>{property}</Code>{' '}
                </>
              )}
              {text}{' '}
              {object.objectTypeId === null ? null : (
                <Badge size="sm" variant="light" color={effects[effect].color}>
                  {effects[effect].label}
                </Badge>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Card>
  )
}

/** Nothing is written to an object of somebody else before a person has confirmed it by its name. */
function Confirmation({ checked }: { checked: CheckedObject[] }) {
  const toast = useToast()
  const confirmation = useConfirmation()
  const { takeOver, isTaking } = useTakeOver({
    onDone: (isReady, reasons) => {
      confirmation.close()
      if (isReady) toast({ title: 'Custom objects are ready' })
      else toast({ title: 'Something is still missing', description: reasons, isError: true })
    },
    onFailed: (description) => {
      const problem = { title: 'The objects could not be used', description }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    },
  })
  const found = checked.flatMap((object) =>
    object.objectTypeId === null ? [] : [{ ...object, objectTypeId: object.objectTypeId }],
  )
  const strange = found.filter(({ isOurs }) => !isOurs)
  if (strange.length === 0) return <AllOurs checked={checked} />
  const areFitting = checked.every(fits)
  const names = strange.map(({ name, objectTypeId }) => `${name} (${objectTypeId})`).join(' and ')
  return (
    <Alert
      color={areFitting ? 'blue' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title="Tributary did not create these objects"
    >
      <Text size="sm">
        {names}. Nothing is written to them until you confirm that Tributary may use them.
        {areFitting ? '' : ' First fix what does not fit, then check again.'}
      </Text>
      <StartButton mt="sm" size="xs" isOff={!areFitting} isBusy={isTaking} onClick={confirmation.ask}>
        Use these objects
      </StartButton>
      <ConfirmDialog
        {...confirmation.dialog}
        title="Use these objects"
        text={`Tributary will add what ${names} lack, and write its records there. What is typed into its properties is overwritten.`}
        confirmLabel="Use these objects"
        isBusy={isTaking}
        onConfirm={() => takeOver(strange.map(({ name, objectTypeId }) => ({ name, objectTypeId })))}
      />
    </Alert>
  )
}

function AllOurs({ checked }: { checked: CheckedObject[] }) {
  if (!checked.every((object) => object.isOurs && fits(object))) return null
  return (
    <Alert
      color="green"
      icon={<IconCircleCheck aria-hidden />}
      title="Both objects exist in HubSpot and can be used"
    />
  )
}
