import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import { getFreshness } from '#contract/imports.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { formatDelay, usualDelay } from '../../ui/delay.ts'

/** Says how long changes in Stripe took to their records in HubSpot, and names those that took too long. */
export function HubspotFreshness() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  if (data === undefined || (data.toHubspot === null && data.lateCount === 0)) return null
  return (
    <>
      {data.toHubspot === null ? null : (
        <Text size="sm" c="dimmed">
          {`Stripe changes usually reach HubSpot ${usualDelay(data.toHubspot)}.`}
        </Text>
      )}
      {data.lateCount === 0 ? null : (
        <>
          <Text size="sm">
            {`${counted(data.lateCount, 'change')} took longer than ${formatDelay(data.promisedSeconds)}${data.lateCount > data.late.length ? '; the latest:' : ':'}`}
          </Text>
          <List size="sm" aria-label="Late changes">
            {data.late.map(({ subscriptionId, name, seconds }) => (
              <List.Item key={subscriptionId}>
                <Anchor component={Link} size="sm" to={paths.subscription(subscriptionId)}>
                  {name ?? subscriptionId}
                </Anchor>
                {`, ${formatDelay(seconds)}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  )
}
