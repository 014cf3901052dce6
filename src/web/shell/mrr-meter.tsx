import { Anchor, Group, Progress, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { counted } from '../components/counted.ts'
import { formatMoney } from '../components/figures/format-money.ts'
import { terms } from '../components/terms/terms.ts'
import { paths } from '../paths.ts'
import { useCoverage } from '../queries/coverage.ts'
import classes from './shell.module.css'

/** Shows how much MRR is attached to a company, and opens the screen that attaches the rest. */
export function MrrMeter() {
  const coverage = useCoverage()
  const percent = coverage.data?.percent ?? null
  if (coverage.data === undefined || percent === null) return null
  const { otherCurrencies, unsupportedSubscriptions, reportingCurrency, attachedMrr, currentMrr } =
    coverage.data
  const amounts = otherCurrencies.map(({ mrr, currency }) => formatMoney(mrr, currency))
  const notes = [
    `${formatMoney(attachedMrr, reportingCurrency)} of ${formatMoney(currentMrr, reportingCurrency)}`,
    ...(amounts.length === 0 ? [] : [`not included: ${amounts.join(', ')}`]),
    ...(unsupportedSubscriptions === 0
      ? []
      : [`not counted: ${counted(unsupportedSubscriptions, 'subscription')}`]),
  ]
  return (
    <Tooltip
      label={`${terms.matched.text} ${notes.join('; ')}.`}
      events={{ hover: true, focus: true, touch: false }}
      multiline
      maw={280}
    >
      <Anchor
        component={Link}
        to={paths.matchReview}
        ml="auto"
        className="not-printed"
        c="inherit"
        underline="hover"
      >
        <Group gap="xs" wrap="nowrap" component="span">
          <Progress value={percent} color="var(--drawn)" w={56} visibleFrom="md" aria-hidden />
          <Text span size="sm" visibleFrom="md">
            {percent}% of MRR matched
          </Text>
          <Text span size="sm" hiddenFrom="md" className={classes['meter'] ?? ''}>
            {percent}%<VisuallyHidden> of MRR</VisuallyHidden>{' '}
            <span className={classes['matched'] ?? ''}>matched</span>
          </Text>
        </Group>
      </Anchor>
    </Tooltip>
  )
}
