import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { getTransactionPlace, type Transaction } from '#contract/events.ts'
import { ApiError, useEndpoint } from '../../client.ts'
import { placeOf } from '../../components/list-page/list-address.ts'
import { freshMs } from '../../queries/freshness.ts'
import { keepInSight } from '../../ui/keep-in-sight.ts'

const [named, calculation] = ['event', 'calculation']

/** The event that the address names, and whether its calculation is open. Both are in the address, so that a link can be sent. */
export function useNamedEvent() {
  const [params, setParams] = useSearchParams()
  // The new address keeps the page that this screen was opened from.
  const opened: unknown = useLocation().state
  const write = (change: (params: URLSearchParams) => void) =>
    setParams(
      (shown) => {
        change(shown)
        return shown
      },
      { replace: true, state: opened, preventScrollReset: true },
    )
  return {
    eventId: params.get(named),
    isExplained: params.has(calculation),
    explain: ({ transactionId }: Transaction) =>
      write((shown) => {
        shown.set(named, transactionId)
        shown.set(calculation, 'open')
      }),
    close: () => write((shown) => shown.delete(calculation)),
  }
}

type Way = {
  subscriptionId: string
  eventId: string | null
  /** The rows of the page that is shown; undefined while none has arrived. */
  rows: readonly Transaction[] | undefined
  perPage: number
  box: RefObject<HTMLElement | null>
  onPage: (page: number) => void
}

/**
 * Leads to the row of the event with which the screen was opened: to its page of the list, and to its place on the screen.
 * Returns whether the event is gone.
 */
export function useWayToEvent({ subscriptionId, eventId, rows, perPage, box, onPage }: Way): boolean {
  const isHere = rows?.some(({ transactionId }) => transactionId === eventId) ?? false
  const isSought = eventId !== null && rows !== undefined && !isHere
  const { data, error } = useEndpoint(getTransactionPlace, isSought ? { params: { eventId } } : null, {
    staleTime: freshMs.records,
  })
  const isOfOther = data !== undefined && data.subscriptionId !== subscriptionId
  const place = isSought && !isOfOther ? data?.place : undefined
  const isReturn = useIsReturn(eventId)
  const sought = useRef(isReturn ? null : eventId)
  const toPage = useEffectEvent(onPage)
  useEffect(() => {
    if (sought.current === null || sought.current !== eventId) return
    if (place !== undefined) toPage(Math.ceil(place / perPage))
    if (!isHere) return
    sought.current = null
    const row = box.current?.querySelector('[aria-current="true"]')
    return row ? keepInSight(row, 'nearest') : undefined
  }, [eventId, isHere, place, perPage, box])
  // The server refuses an impossible id as a malformed request. For the reader it is gone, like an unknown id.
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return isSought && (isOfOther || isUnknown)
}

/** The visits of pages that have led to an event already, each with the event. */
const visits = new Set<string>()

/** Whether a person comes back to a visit of the page, which is then scrolled to where it was left. */
function useIsReturn(eventId: string | null): boolean {
  const visit = `${placeOf(useLocation())} ${eventId}`
  const [isReturn] = useState(visits.has(visit))
  useEffect(() => {
    visits.add(visit)
  }, [visit])
  return isReturn
}
