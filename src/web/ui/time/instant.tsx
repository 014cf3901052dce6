import { formatDay, formatInstant } from '../dates.ts'
import { formatAgo, formatAhead, formatFullInstant } from './ago.ts'
import { useNow } from './now.ts'

type InstantProps = { at: string }

/** The day and time of something; to the second and with its zone on hover. */
export function Instant({ at }: InstantProps) {
  return (
    <time dateTime={at} title={formatFullInstant(at)}>
      {formatInstant(at)}
    </time>
  )
}

/** The UTC day of something, as lists have it; the instant on hover. */
export function Day({ at }: InstantProps) {
  return (
    <time dateTime={at} title={formatFullInstant(at)}>
      {formatDay(at)}
    </time>
  )
}

/** How long ago the product did something: '3 min ago', with the instant on hover and on paper. */
export function Ago({ at }: InstantProps) {
  return <FromNow at={at} format={formatAgo} />
}

/** In how long the product will do something: 'in 3 min', with the instant on hover and on paper. */
export function Ahead({ at }: InstantProps) {
  return <FromNow at={at} format={formatAhead} />
}

/** Goes on with the time by itself, without its surroundings. */
function FromNow({ at, format }: InstantProps & { format: typeof formatAgo }) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatFullInstant(at)} data-from-now>
      {format(at, now)}
    </time>
  )
}
