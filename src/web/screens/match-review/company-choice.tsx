import { Card, Group, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import type { CandidateFacts } from '#contract/matches.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { Email } from '../../components/customers/email.tsx'
import { companyFactsText, domainsText } from '../../components/customers/match-words.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useKeyMark } from './key-hints.tsx'

type CompanyChoiceProps = {
  name: string | null
  link: string | null
  domains: readonly string[]
  facts: CandidateFacts
  /** Why it is suggested; left out for a company that was searched for. */
  note?: string
  label: string
  /** The key that chooses it. */
  keyName?: string | undefined
  isBusy: boolean
  onChoose: () => void
}

/** Shows a company that the customer can be attached to, with the known facts. */
export function CompanyChoice(props: CompanyChoiceProps) {
  const { name, link, domains, facts, note, label, keyName, isBusy, onChoose } = props
  const knownId = useId()
  const known = companyFactsText(facts)
  return (
    <Card withBorder padding="xs">
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Text size="sm" component="div">
            <CompanyName name={name} link={link} />
          </Text>
          <div id={knownId}>
            {domains.length === 0 ? null : (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                <Email address={domainsText(domains)} />
              </Text>
            )}
            {known === '' ? null : (
              <Text size="xs" c="dimmed">
                {known}
              </Text>
            )}
          </div>
          {note === undefined ? null : (
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </Stack>
        <StartButton
          size="xs"
          variant="default"
          isOff={isBusy}
          aria-label={`${label} ${name ?? 'this company'}`}
          aria-describedby={knownId}
          {...useKeyMark(keyName)}
          onClick={onChoose}
          style={{ flexShrink: 0 }}
        >
          {label}
        </StartButton>
      </Group>
    </Card>
  )
}
