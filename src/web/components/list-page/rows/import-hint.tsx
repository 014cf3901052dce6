import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'

/** Says when an empty list fills, with the ways there. */
export function ImportHint({ what = 'They are' }: { what?: string }) {
  return (
    <>
      {what} listed here once your Stripe data is imported: in the{' '}
      <Anchor component={Link} to={paths.setup} inherit underline="always">
        Setup Wizard
      </Anchor>
      , or under{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        Data Sync
      </Anchor>
      .
    </>
  )
}
