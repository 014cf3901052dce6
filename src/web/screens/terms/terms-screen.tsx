import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { belowHeader, JumpLinks, placeOfPart } from '../../components/jump-links.tsx'
import { RuleList } from '../../components/terms/rule-list.tsx'
import { ruleTexts } from '../../components/terms/rule-texts.ts'
import { allTerms } from '../../components/terms/terms.ts'

/** /terms explains every word that screens explain, and states the rules by which MRR is counted. */
export function TermsScreen() {
  return (
    <Stack gap="lg">
      <Text c="dimmed">What the words of Tributary mean, and the rules by which it counts MRR.</Text>
      <JumpLinks titles={['Terms', 'Rules of MRR']} />
      <Terms />
      <Rules />
    </Stack>
  )
}

function Terms() {
  return (
    <Card withBorder component="section" aria-label="Terms" id={placeOfPart('Terms')} className={belowHeader}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          Terms
        </Title>
        {allTerms.map(({ name, title, text, rules = [] }) => (
          <div key={name} id={name} className={belowHeader}>
            <Title order={3} size="h6">
              {title}
            </Title>
            <Text size="sm">{text}</Text>
            {rules.length === 0 ? null : (
              <Text size="sm" c="dimmed">
                Rules:{' '}
                {rules.map((rule, at) => (
                  <span key={rule}>
                    {at === 0 ? '' : ', '}
                    <Anchor href={`#${rule}`} inherit underline="always">
                      {ruleTexts[rule]?.name}
                    </Anchor>
                  </span>
                ))}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Card>
  )
}

function Rules() {
  return (
    <Card
      withBorder
      component="section"
      aria-label="Rules of MRR"
      id={placeOfPart('Rules of MRR')}
      className={belowHeader}
    >
      <Stack gap="sm">
        <Title order={2} size="h4">
          Rules of MRR
        </Title>
        <Text size="sm" c="dimmed">
          Under How it was calculated, each subscription and event names the rules that were applied to it.
        </Text>
        <RuleList rules={Object.keys(ruleTexts)} idOf={(rule) => rule} />
      </Stack>
    </Card>
  )
}
