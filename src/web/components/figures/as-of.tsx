import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'

type AsOfProps = {
  /** Whether the first import goes on. */
  isImporting: boolean
  isStripeMissing: boolean
  /** Whether anything was ever imported, also before a reset of the setup; undefined while it is not known. */
  hasFigures: boolean | undefined
}

/** Says of when the current MRR is. Without Stripe, it stays what the last import made of it. */
export function AsOf({ isImporting, isStripeMissing, hasFigures }: AsOfProps) {
  if (isImporting) return <Text size="xs">Not complete: the import goes on</Text>
  const isCurrent = !isStripeMissing || hasFigures === false
  if (isCurrent) return <Text size="xs">As of today</Text>
  // The place is kept while it is not known.
  if (hasFigures === undefined) return <Text size="xs">&nbsp;</Text>
  return (
    <Anchor component={Link} to={paths.dataSync} size="xs" underline="always" display="block" w="fit-content">
      Stripe is not connected: as of the last import
    </Anchor>
  )
}
