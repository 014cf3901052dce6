import { Badge, Card, Code, Group, List, Text, Title } from '@mantine/core'
import { ManagersNote } from '../../components/managers-note.tsx'
import { type HubspotAmounts, useBindAmounts } from '../../queries/hubspot-amounts.ts'
import { useIsManager } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import { useToast } from '../../ui/toast.tsx'

type Amount = HubspotAmounts['objects'][number]['amounts'][number]

const states = {
  plain: { label: 'Optional', color: 'gray' },
  partly: { label: 'Partly done', color: 'yellow' },
  done: { label: 'Done', color: 'green' },
} as const

/** Whether HubSpot shows amounts in the currency of their record, and the question before it does so for good. */
export function AmountsCard({ amounts: { portalId, ...read } }: { amounts: HubspotAmounts }) {
  const isManager = useIsManager()
  const objects = read.objects.filter(({ amounts }) => amounts.length > 0)
  const all = objects.flatMap(({ amounts }) => amounts)
  const open = all.filter(({ boundTo }) => boundTo === null)
  if (all.length === 0) return null
  const { label, color } = states[open.length === 0 ? 'done' : open.length < all.length ? 'partly' : 'plain']
  return (
    <Card withBorder component="section" aria-label="Amounts in their own currency">
      <Group justify="space-between">
        <Title order={3} size="h5">
          Amounts in their own currency
        </Title>
        <Badge variant="light" color={color}>
          {label}
        </Badge>
      </Group>
      <Text size="sm" mt="xs">
        {open.length === 0
          ? 'HubSpot shows these amounts in the currency of their own record, for example €49.00 in place of 49.'
          : 'HubSpot can show these amounts in the currency of their own record, for example €49.00 in place of 49. The amounts themselves stay as they are. HubSpot cannot undo this.'}
      </Text>
      <List mt="sm" spacing="xs" size="sm">
        {objects.map((object) => (
          <List.Item key={object.label}>
            {object.label}
            <List withPadding size="sm" spacing={2} mt={2}>
              {object.amounts.map((amount) => (
                <List.Item key={amount.property}>
                  <Code>{amount.property}</Code> <Shown amount={amount} />
                </List.Item>
              ))}
            </List>
          </List.Item>
        ))}
      </List>
      {open.length === 0 ? null : isManager ? (
        <BindButton portalId={portalId} count={open.length} />
      ) : (
        <ManagersNote what="have HubSpot show amounts in their own currency" />
      )}
    </Card>
  )
}

function Shown({ amount: { boundTo, currencyProperty } }: { amount: Amount }) {
  if (boundTo === null) return 'is a plain number'
  if (boundTo === currencyProperty) return 'shows its currency'
  return (
    <>
      shows the currency of <Code>{boundTo}</Code>, as somebody has set in HubSpot
    </>
  )
}

function BindButton({ portalId, count }: { portalId: string; count: number }) {
  const toast = useToast()
  const confirmation = useConfirmation()
  const { bind, isBinding } = useBindAmounts({
    onDone: (problem) => {
      confirmation.close()
      if (problem === null) toast({ title: 'HubSpot shows amounts in their own currency' })
      else toast({ title: 'Some amounts are still plain numbers', description: problem, isError: true })
    },
    onFailed: (description) => {
      const problem = { title: 'The amounts could not be changed', description }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    },
  })
  return (
    <>
      <Group mt="sm">
        <StartButton size="xs" variant="default" isBusy={isBinding} onClick={confirmation.ask}>
          Show amounts in their currency
        </StartButton>
      </Group>
      <ConfirmDialog
        {...confirmation.dialog}
        title="Show amounts in their currency"
        text={`In HubSpot account ${portalId}, everybody will see these amounts (${count}) with the currency of their record. Nobody can undo this, neither here nor in HubSpot: they never show as plain numbers again.`}
        confirmLabel="Show them for good"
        isBusy={isBinding}
        onConfirm={() => bind(portalId)}
      />
    </>
  )
}
