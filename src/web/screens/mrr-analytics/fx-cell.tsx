import type { BridgeAnswer } from '#contract/mrr.ts'
import { fxName } from '../../components/charts/movements/movement-words.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
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
export function revaluedText(bridge: BridgeAnswer): string {
  if (bridge.fx === undefined) return ''
  return ' Here Start and End are at the rates of their days, and movements at those of their events. Exchange rates is the rest between them; no event stands for it.'
}
