import { Anchor, Title, VisuallyHidden } from '@mantine/core'
import { RuleList } from '../../../components/terms/rule-list.tsx'
import { ruleTexts } from '../../../components/terms/rule-texts.ts'

const anchorOf = (scope: string, rule: string) => `${scope}-${rule}`

/** A rule that this version does not know keeps its number. */
const nameOf = (rule: string) => ruleTexts[rule]?.name ?? rule

/**
 * Links each rule by its name to its text further down; the number shows on hover. `scope` keeps the texts of two
 * receipts apart.
 */
export function RuleLinks({ rules, scope }: { rules: readonly string[]; scope: string }) {
  return rules.map((rule, index) => (
    <span key={rule}>
      {index === 0 ? '' : ', '}
      <Anchor href={`#${anchorOf(scope, rule)}`} size="sm" underline="always" title={`Rule ${rule}`}>
        {nameOf(rule)}
        <VisuallyHidden> (rule {rule})</VisuallyHidden>
      </Anchor>
    </span>
  ))
}

/** Shows the texts of a receipt's rules. */
export function RuleTexts({ rules, scope }: { rules: readonly string[]; scope: string }) {
  return (
    <section>
      <Title order={4} size="h6" mb="xs">
        Rules
      </Title>
      <RuleList rules={rules} idOf={(rule) => anchorOf(scope, rule)} isNumbered />
    </section>
  )
}
