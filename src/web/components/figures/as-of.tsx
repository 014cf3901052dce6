import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSetupProgress } from '#contract/setup.ts'
import { paths } from '../../paths.ts'

type AsOfProps = { setup: ResponseOf<typeof getSetupProgress> | null | undefined }

/** Says of when the current MRR is. Without Stripe, it stays what the last import made of it. */
export function AsOf({ setup }: AsOfProps) {
  if (!setup?.dataImported || setup.stripeConnected) return <Text size="xs">As of today</Text>
  return (
    <Anchor component={Link} to={paths.dataSync} size="xs" underline="always" display="block" w="fit-content">
      Stripe is not connected: as of the last import
    </Anchor>
  )
}
