import type { ReactNode } from 'react'
import type { BridgeAnswer } from '#contract/mrr.ts'
import { fxName } from '../../components/charts/movements/movement-words.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { Term } from '../../components/terms/term.tsx'
import { EventsCell } from './events-cell.tsx'

/** What exchange rates moved between two revalued levels; no event stands for it. */
export function FxCell({ bridge, currency }: { bridge: BridgeAnswer; currency: string }) {
  return (
    <EventsCell to={bridge.fx ? undefined : null} label={fxName}>
      <MoneyChange amountCents={bridge.fx ?? 0} currency={currency} />
    </EventsCell>
  )
}

/** Says how revalued levels come about; nothing where amounts count as booked. */
export function revaluedNote({ fx }: BridgeAnswer): ReactNode {
  if (fx === undefined) return null
  return (
    <>
      {' '}
      Amounts are <Term name="revalued">revalued</Term>: Start and End are at the rates of their days, and
      movements at those of their events. Exchange rates is the rest between them; no event stands for it.
    </>
  )
}
