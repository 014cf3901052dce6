import { VisuallyHidden } from '@mantine/core'
import { belowHeader } from '../jump-links.tsx'
import classes from './rule-list.module.css'
import { ruleTexts } from './rule-texts.ts'

type RuleListProps = {
  rules: readonly string[]
  /** The place of a rule within the page, to which links lead. */
  idOf: (rule: string) => string
  /** Whether the numbers show on hover, and are read out, as on links to the rules. */
  isNumbered?: boolean
}

/** Lists rules by their names with their texts. A rule that this version does not know keeps its number. */
export function RuleList({ rules, idOf, isNumbered = false }: RuleListProps) {
  return (
    <dl className={classes['rules']}>
      {rules.map((rule) => {
        const { name = rule, text = 'See the rule book.' } = ruleTexts[rule] ?? {}
        return (
          <div key={rule} id={idOf(rule)} className={`${classes['rule']} ${belowHeader}`}>
            <dt title={isNumbered ? `Rule ${rule}` : undefined}>
              {name}
              {isNumbered ? <VisuallyHidden> (rule {rule})</VisuallyHidden> : null}
            </dt>
            <dd>{text}</dd>
          </div>
        )
      })}
    </dl>
  )
}
