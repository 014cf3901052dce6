import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Match } from '#contract/matches.ts'

/** The part of a row that gets the focus. */
type RowPart = 'customer' | 'accept' | 'select'

/** What had the focus last, and the number of its row, from 0. */
type Place = { element: HTMLElement; part: RowPart; at: number }

/**
 * When the row that had the focus leaves, gives it to the same part of the row in its place, of the last row, or to the
 * page. A dialog over the list keeps it until it closes.
 */
export function useKeptFocus(
  within: RefObject<HTMLElement | null>,
  rows: readonly Match[] | undefined,
  isDialogOpen: boolean,
): void {
  const last = useRef<Place | null>(null)
  useEffect(() => {
    const list = within.current
    if (list === null) return
    const note = ({ target }: FocusEvent) => {
      last.current = target instanceof HTMLElement ? placeOf(list, target) : null
    }
    list.addEventListener('focusin', note)
    return () => list.removeEventListener('focusin', note)
  }, [within])
  useLayoutEffect(() => {
    const list = within.current
    if (list === null || rows === undefined || last.current === null) return
    const { element, part, at } = last.current
    if (element.isConnected) last.current = placeOf(list, element)
    else if (document.activeElement === document.body) focusPlace(list, part, at)
  }, [within, rows])
  useEffect(() => {
    const list = within.current
    if (isDialogOpen || list === null || last.current === null) return
    const { element, part, at } = last.current
    if (element.isConnected) element.focus()
    else focusPlace(list, part, at)
  }, [within, isDialogOpen])
}

/** Finds a part of a row; without the part, the name of its customer. */
function partOf(row: HTMLElement | null | undefined, part: RowPart): HTMLElement | null | undefined {
  const find = (selector: string) => row?.querySelector<HTMLElement>(selector)
  return find(selectors[part]) ?? find(selectors.customer)
}

const selectors = { customer: '[data-customer]', accept: '[data-accept]', select: 'input' }

/** The rows of the list in their order, or its cards. */
function rowsIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('tr, li')].filter((row) =>
    row.querySelector(selectors.customer),
  )
}

function placeOf(list: HTMLElement, element: HTMLElement): Place | null {
  const at = rowsIn(list).findIndex((row) => row.contains(element))
  if (at < 0) return null
  const part = element.matches(selectors.accept)
    ? 'accept'
    : element.matches(selectors.select)
      ? 'select'
      : 'customer'
  return { element, part, at }
}

function focusPlace(list: HTMLElement, part: RowPart, at: number): void {
  const rows = rowsIn(list)
  const found = partOf(rows[at] ?? rows.at(-1), part) ?? list.closest('main')
  found?.focus()
}
