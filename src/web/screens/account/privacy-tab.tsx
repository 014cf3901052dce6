import { Anchor, Badge, Button, Card, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  deleteErasedContact,
  downloadCertificate,
  type Erasure,
  listErasures,
  saveErasureSettings,
} from '#contract/erasures.ts'
import { countedInErasure } from '#domain/erasure.ts'
import { buildUrl, call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { paths } from '../../paths.ts'
import { formatInstant } from '../../ui/dates.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { Instant } from '../../ui/time/instant.tsx'
import { useToast } from '../../ui/toast.tsx'
import { problemOf } from './problem-of.ts'

/** Shows owners and admins who was erased, and the setting that erases people without a request. */
export function PrivacyTab() {
  const listed = useEndpoint(listErasures, {}, { staleTime: 0 })
  if (listed.isPending) return <PageSpinner />
  if (listed.data === undefined) {
    return (
      <ReadFailure
        title="The erasures could not be read"
        error={listed.error}
        onRetry={() => void listed.refetch()}
      />
    )
  }
  const { erasures, settings, deletedCustomers } = listed.data
  return (
    <Stack>
      <DeletedSwitch isOn={settings.erasesDeletedCustomers} deletedCustomers={deletedCustomers} />
      <Title order={2} size="h5">
        Erased customers
      </Title>
      <Text c="dimmed">
        {erasures.length === 0 ? 'Nobody was erased. ' : ''}To erase a person, open the customer in{' '}
        <Anchor component={Link} to={paths.customers} inherit underline="always">
          Customers
        </Anchor>{' '}
        and choose Erase this person in the menu at the top.
      </Text>
      {erasures.map((erasure) => (
        <Certificate key={erasure.id} erasure={erasure} />
      ))}
    </Stack>
  )
}

/** The setting; turning it on is asked for, because what it erases does not come back. */
function DeletedSwitch({ isOn, deletedCustomers }: { isOn: boolean; deletedCustomers: number }) {
  const toast = useToast()
  const client = useQueryClient()
  const confirmation = useConfirmation()
  const save = useMutation({
    mutationFn: (erasesDeletedCustomers: boolean) =>
      call(saveErasureSettings, { body: { erasesDeletedCustomers } }),
    onSuccess: async (_, isWanted) => {
      await client.invalidateQueries({ queryKey: endpointKey(listErasures) })
      confirmation.close()
      toast({ title: isWanted ? 'Deleted customers are erased' : 'Deleted customers are kept' })
    },
    onError: (error) => {
      const description = serverText(error, 'Please try again.')
      const problem = { title: 'Setting could not be saved', description }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    },
  })
  return (
    <Card withBorder>
      <Switch
        label="Erase whoever is deleted in Stripe"
        description="Within a day, and for good. Customers that Stripe shows as redacted are always erased."
        checked={isOn}
        aria-busy={save.isPending}
        onChange={({ currentTarget }) => {
          if (save.isPending) return
          if (currentTarget.checked) confirmation.ask()
          else save.mutate(false)
        }}
      />
      <ProblemAlert
        problem={confirmation.dialog.isOpen ? null : problemOf('Setting could not be saved', save)}
      />
      <ConfirmDialog
        {...confirmation.dialog}
        title="Erase whoever is deleted in Stripe"
        text={`${toErase(deletedCustomers)} Names, addresses and texts are erased here, and the next sync takes them out of our records in HubSpot; contacts and companies there stay. Amounts stay under a pseudonym. What is erased does not come back when this is turned off.`}
        confirmLabel="Erase for good"
        isBusy={save.isPending}
        onConfirm={() => save.mutate(true)}
      />
    </Card>
  )
}

function toErase(deletedCustomers: number): string {
  if (deletedCustomers === 0)
    return 'Nobody is deleted in Stripe now; whoever is later is erased within a day.'
  return `${counted(deletedCustomers, 'customer is', 'customers are')} deleted in Stripe now and erased within a day, with everybody of the same email address; so is whoever is deleted later.`
}

const reasons = {
  asked: 'Erased on request',
  redacted: 'Redacted in Stripe',
  deleted: 'Deleted in Stripe',
} as const

/** Shows what was done about one person, without a name. */
function Certificate({ erasure }: { erasure: Erasure }) {
  const done = Object.entries(countedInErasure).filter(([what]) => (erasure.counts[what] ?? 0) > 0)
  return (
    <Card withBorder component="section" aria-label={erasure.pseudonym}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3} size="h6">
            {erasure.pseudonym}
          </Title>
          <Badge variant="light">{reasons[erasure.reason]}</Badge>
        </Group>
        <Text size="sm">
          <Instant at={erasure.erasedAt} />
        </Text>
        {done.map(([what, words]) => (
          <Text key={what} size="sm">
            {words}: {erasure.counts[what]}
          </Text>
        ))}
        <Text size="sm">
          {erasure.hubspotRewrittenAt === null
            ? 'If we have records in HubSpot, the next sync rewrites them.'
            : `Our records in HubSpot were rewritten by ${formatInstant(erasure.hubspotRewrittenAt)}.`}
        </Text>
        <Contact erasure={erasure} />
        <Anchor size="sm" href={buildUrl(downloadCertificate.path, { erasureId: erasure.id })} download>
          Download certificate
        </Anchor>
      </Stack>
    </Card>
  )
}

function Contact({ erasure }: { erasure: Erasure }) {
  const toast = useToast()
  const client = useQueryClient()
  const confirmation = useConfirmation()
  const remove = useMutation({
    mutationFn: () => call(deleteErasedContact, { params: { erasureId: erasure.id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: endpointKey(listErasures) })
      confirmation.close()
      toast({ title: 'Deleted in HubSpot' })
    },
    onError: (error) => {
      const problem = { title: 'Not deleted in HubSpot', description: serverText(error, 'Please try again.') }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    },
  })
  if (erasure.hubspotContact === 'none') return null
  if (erasure.hubspotContact === 'deleted') {
    return <Text size="sm">HubSpot deleted the contact for good.</Text>
  }
  return (
    <Group>
      <Text size="sm">The contact is still in HubSpot.</Text>
      <Button size="xs" variant="outline" color="red" onClick={confirmation.ask}>
        Delete contact in HubSpot
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title="Delete contact in HubSpot"
        text="HubSpot deletes the contact with its history for good, also what others use it for. A company that was made for this person alone is called by the pseudonym. This cannot be taken back."
        confirmLabel="Delete for good"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </Group>
  )
}
