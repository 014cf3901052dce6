import { FileInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { uploadRates } from '#contract/settings.ts'
import { dayOfDate } from '#domain/instant.ts'
import { parseEcbFile, parseRatesCsv, RatesFileError } from '#domain/reporting/parse-rates.ts'
import { call, serverText } from '../../../client.ts'
import { counted } from '../../../components/counted.ts'
import { useClock } from '../../../ui/clock.ts'
import { useToast } from '../../../ui/toast.tsx'
import { partsOf, type RatesFile, readRatesFile } from './rates-file.ts'

/** Takes a file of rates. It is checked here as a whole, so that a wrong one changes nothing, and sent in parts. */
export function RatesUpload() {
  const toast = useToast()
  const client = useQueryClient()
  const now = useClock()
  const [problem, setProblem] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: async (file: RatesFile) => {
      const parts = partsOf(file.text)
      let [days, ignored] = [0, 0]
      for (const [index, text] of parts.entries()) {
        const isLast = index === parts.length - 1
        const answer = await call(uploadRates, { body: { source: file.source, text, isLast } })
        days += answer.days
        ignored += answer.ignored
      }
      return { days, ignored }
    },
    onSuccess: ({ days, ignored }) => {
      void client.invalidateQueries()
      const kept =
        ignored === 0
          ? ''
          : ` ${counted(ignored, 'other rate')} of closed months left out: those first used are kept.`
      toast({ title: 'Rates are in use', description: `${counted(days, 'day')} read.${kept}` })
    },
    onError: (error) => setProblem(serverText(error, 'The file could not be sent. Try again.')),
  })
  const take = async (chosen: File | null) => {
    if (send.isPending)
      return setProblem('Wait until the file before it is read, then choose this one again.')
    setProblem(null)
    if (chosen === null) return
    // A browser reads no file that was changed or removed since it was chosen.
    const file = await readRatesFile(chosen).catch(() => null)
    if (file === null) return setProblem('The file could not be read. Choose it again.')
    try {
      const parse = file.source === 'ecb' ? parseEcbFile : parseRatesCsv
      parse(file.text, dayOfDate(now()))
      send.mutate(file)
    } catch (error) {
      if (!(error instanceof RatesFileError)) throw error
      setProblem(error.message)
    }
  }
  return (
    <Stack gap={4}>
      <FileInput
        label="Add rates from a file"
        description="eurofxref-hist.csv of the European Central Bank, or your own with the columns date,from,to,rate. Only your organization uses it."
        placeholder="Choose a file"
        styles={{ placeholder: { color: 'var(--mantine-color-dimmed)' } }}
        accept=".csv,text/csv"
        value={null}
        aria-busy={send.isPending}
        error={problem}
        onChange={(file) => void take(file)}
      />
      {send.isPending ? (
        <Text size="sm" role="status">
          The file is being read.
        </Text>
      ) : null}
    </Stack>
  )
}
