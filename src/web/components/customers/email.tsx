import { Fragment } from 'react'
import { Clipped } from '../list-page/clipped.tsx'

/** An address in a column of its own, whose table scrolls sideways: a part of a line on the screen, but not on paper. */
export function EmailInColumn({ address }: { address: string | null }) {
  if (address === null) return '-'
  return (
    <Clipped text={address}>
      <Email address={address} />
    </Clipped>
  )
}

/** Shows an address, or a domain. Where it needs two lines, it breaks after the @ or before a dot, but not within a word, nor before the ending. */
export function Email({ address }: { address: string }) {
  return address.split(/(?<=@)|(?=\.(?:.*[.@]))/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their order.
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
}
