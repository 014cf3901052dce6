import { Alert, Anchor, Card, Loader, NativeSelect, Radio, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getReportingSettings, saveReportingSettings } from '#contract/settings.ts'
import { rateSources } from '#domain/reporting/rate.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../../client.ts'
import { currencyName } from '../../../components/figures/format-money.ts'
import { ManagersNote } from '../../../components/managers-note.tsx'
import { Term } from '../../../components/terms/term.tsx'
import { paths } from '../../../paths.ts'
import { useIsManager } from '../../../queries/session.ts'
import { formatDay } from '../../../ui/dates.ts'
import { leadTo } from '../../../ui/keep-in-sight.ts'
import { ReadFailure } from '../../../ui/problems/unread.tsx'
import { Ago } from '../../../ui/time/instant.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { CountAgainDialog, type OtherChoice, type ReportingChoice } from './count-again-dialog.tsx'
import { RatesUpload } from './rates-upload.tsx'

type Settings = ResponseOf<typeof getReportingSettings>

const pollMs = 2_000

/** Chooses the currency of totals and its rates. An organization with one currency sees nothing of it. */
export function ReportingCard() {
  const saved = useEndpoint(
    getReportingSettings,
    {},
    { refetchInterval: ({ state }) => (state.data?.isConverting ? pollMs : false) },
  )
  const isManager = useIsManager()
  const { hash } = useLocation()
  const isWanted = hash !== '' && paths.exchangeRates.endsWith(hash)
  if (saved.data === undefined && saved.error !== null)
    return (
      <ReadFailure
        title="The reporting currency could not be read"
        error={saved.error}
        onRetry={() => void saved.refetch()}
      />
    )
  if (!saved.data?.hasSeveral) return null
  return (
    <Card withBorder component="section" aria-label="Reporting Currency" ref={isWanted ? leadTo : undefined}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            Reporting Currency
          </Title>
          <Text size="sm" c="dimmed">
            Totals, charts and sorting by MRR are in this currency, <Term name="asBooked">as booked</Term> or{' '}
            <Term name="revalued">revalued</Term>. Each row keeps its own currency; its record in HubSpot has
            both.
          </Text>
          <Anchor component={Link} to={paths.hubspotObjects} size="sm" underline="always">
            How HubSpot shows amounts
          </Anchor>
        </div>
        <Choices settings={saved.data} isManager={isManager} />
        <RatesInUse settings={saved.data} />
        {isManager ? <RatesUpload /> : <ManagersNote what="change the reporting currency and its rates" />}
      </Stack>
    </Card>
  )
}

function Choices({ settings, isManager }: { settings: Settings; isManager: boolean }) {
  const [asked, setAsked] = useState<OtherChoice | null>(null)
  const save = useSaveReporting(settings, () => setAsked(null))
  const ask = (other: OtherChoice) => {
    if (save.isPending) return
    save.reset()
    setAsked(other)
  }
  const { reportingCurrency, method, source } = save.isPending ? save.variables : settings
  const isDisabled = !isManager
  return (
    <>
      <CountAgainDialog
        other={asked}
        hasHubspot={settings.portal !== null}
        isBusy={save.isPending}
        problem={save.error && saveProblem(save.error)}
        onConfirm={() => save.mutate({ reportingCurrency, method, source, ...asked })}
        onClose={() => setAsked(null)}
      />
      <NativeSelect
        label="Currency of totals"
        w="max-content"
        maw="100%"
        disabled={isDisabled}
        value={reportingCurrency}
        onChange={(event) => ask({ reportingCurrency: event.currentTarget.value })}
        data={settings.currencies.map((code) => ({
          value: code,
          label: `${code.toUpperCase()}, ${currencyName(code)}${code === settings.portal?.currency ? " (HubSpot's)" : ''}`,
        }))}
      />
      <Radio.Group
        label="Amounts count"
        value={method}
        onChange={(value) => ask({ method: value === 'revalued' ? 'revalued' : 'booked' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="booked"
            disabled={isDisabled}
            label="As booked"
            description="Each increase at the rate of its day, which the subscription keeps. A plan of €100 that began at 1.10 stays $110, whatever the euro does; when it ends, $110 go. Exchange rates move nothing."
          />
          <Radio
            value="revalued"
            disabled={isDisabled}
            label="Revalued"
            description="Everything at the rate of the day, as Stripe does. The same plan is $120 on a day at 1.20, and the $10 stand beside the movements as Exchange rates. A month that is over keeps its rates."
          />
        </Stack>
      </Radio.Group>
      <Radio.Group
        label="Rates from"
        value={source}
        onChange={(value) => ask({ source: rateSources.find((one) => one === value) ?? 'ecb' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="ecb"
            disabled={isDisabled}
            label="European Central Bank"
            description="One rate each working day for about 30 currencies, for information only."
          />
          <Radio
            value="csv"
            disabled={isDisabled}
            label="Your own file"
            description="Rates that your finance team decides, such as those of the budget."
          />
          {settings.portal === null ? null : (
            <Radio
              value="crm"
              disabled={isDisabled || (settings.portal.ratesRefusal !== null && source !== 'crm')}
              label="HubSpot"
              description={
                settings.portal.ratesRefusal ??
                "The exchange rates of the account's settings, read once a day. Each holds until the next, so it can be months old."
              }
            />
          )}
        </Stack>
      </Radio.Group>
    </>
  )
}

const saveProblem = (error: Error) => ({
  title: 'Failed to update the reporting currency',
  description: serverText(error, 'An error occurred while updating the reporting currency.'),
})

function useSaveReporting(settings: Settings, onSaved: () => void) {
  const toast = useToast()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (choice: ReportingChoice) => {
      const { reportingCurrency, method, source } = settings
      return call(saveReportingSettings, { body: { ...choice, seen: { reportingCurrency, method, source } } })
    },
    onSuccess: (answer) => {
      client.setQueryData(endpointKey(getReportingSettings, {}), answer)
      // Every screen shows money.
      void client.invalidateQueries()
      onSaved()
      toast({ title: 'Settings updated' })
    },
    onError: (error) => {
      toast({ ...saveProblem(error), isError: true })
      // Somebody else may have changed it.
      void client.invalidateQueries({ queryKey: endpointKey(getReportingSettings, {}) })
    },
  })
}

function LastReading({ at }: { at: string | null }) {
  return (
    <Text size="sm" c="dimmed">
      {at === null ? (
        "Tributary has not read the European Central Bank's rates yet. Whoever runs it turns that on with the setting ECB_RATES. A file below works without it."
      ) : (
        <>
          Last read from the European Central Bank <Ago at={at} />.
        </>
      )}
    </Text>
  )
}

function RatesInUse({ settings }: { settings: Settings }) {
  const missing = settings.rates.filter(({ rate }) => rate === null)
  return (
    <Stack gap="xs">
      {settings.isConverting ? (
        <Text size="sm" role="status">
          <Loader size="xs" mr="xs" aria-hidden />
          Amounts are being converted.
        </Text>
      ) : null}
      {missing.length === 0 ? null : (
        <Alert role="note" color="yellow" title="Not in totals">
          No rate is known for {missing.map(({ currency }) => currency.toUpperCase()).join(', ')}. Amounts in{' '}
          {missing.length === 1 ? 'it' : 'them'} stand beside the totals. Add{' '}
          {settings.source === 'crm' ? "a rate in HubSpot's settings, or a file" : 'a file with rates'} below.
        </Alert>
      )}
      <Table.ScrollContainer minWidth={280}>
        <Table aria-label="Rates in use" horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Currency</Table.Th>
              <Table.Th>Rate</Table.Th>
              <Table.Th>Of</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {settings.rates.map(({ currency, rate }) => (
              <Table.Tr key={currency}>
                <Table.Td>{currency.toUpperCase()}</Table.Td>
                <Table.Td>{rate === null ? 'None' : rate.text}</Table.Td>
                <Table.Td>
                  <Text span inherit style={{ whiteSpace: 'nowrap' }}>
                    {rate === null ? '-' : formatDay(rate.day)}
                  </Text>
                  {rate?.isStale ? ', older than 5 days' : ''}
                  {rate?.isCoarse ? ', too coarse: HubSpot keeps 6 decimals' : ''}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {settings.source === 'ecb' ? <LastReading at={settings.readAt} /> : null}
    </Stack>
  )
}
