/** The id of the list that the field of the menu controls. */
export const resultsId = 'command-results'

/**
 * Tells screen readers which result is selected, as the combobox pattern of WAI-ARIA asks: the focus stays in the field. The library
 * only marks the result with `data-selected`.
 */
export function tellSelected(list: HTMLElement | null): (() => void) | undefined {
  if (list === null) return undefined
  const tell = () => {
    const selected = list.querySelector('[data-selected]')
    for (const [at, option] of list.querySelectorAll('[data-action]').entries()) {
      option.id = `${resultsId}-${at}`
      option.setAttribute('aria-selected', String(option === selected))
    }
    document
      .querySelector(`[aria-controls="${resultsId}"]`)
      ?.setAttribute('aria-activedescendant', selected?.id ?? '')
  }
  const observer = new MutationObserver(tell)
  observer.observe(list, { subtree: true, childList: true, attributeFilter: ['data-selected'] })
  tell()
  return () => observer.disconnect()
}
