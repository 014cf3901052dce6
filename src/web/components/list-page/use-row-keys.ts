import type { RefObject } from 'react'
import { usePageKeys } from '../frame/use-keys.ts'

/** J goes to the next row that leads somewhere, and K to the one before. From elsewhere on the page, J goes to the first. */
export function useRowKeys(list: RefObject<HTMLElement | null>, isOn: boolean): void {
  usePageKeys((key) => {
    if (!isOn || (key !== 'j' && key !== 'k')) return false
    const rows = [...(list.current?.querySelectorAll('tbody > tr, ul > li') ?? [])]
    const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a[aria-label]') ?? [])
    const at = links.findIndex((link) => link.closest('tr, li')?.contains(document.activeElement))
    const next = links[key === 'j' ? at + 1 : at - 1]
    next?.focus()
    return next !== undefined
  })
}
