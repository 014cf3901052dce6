import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useListAddress } from '../list-page/list-address.ts'

type CustomerNameProps = {
  customerId: string | null
  customerName: string | null
  /** Shown for a customer without a name. */
  fallback?: string
}

/** Shows a customer, and links it to its page. */
export function CustomerName({ customerId, customerName, fallback = '-' }: CustomerNameProps) {
  const state = useListAddress()
  const text = customerName || fallback
  if (customerId === null || customerId === '') return <>{text}</>
  return (
    <Anchor component={Link} to={paths.customer(customerId)} state={state} size="sm">
      {text}
    </Anchor>
  )
}
