import type { Page } from 'playwright-core'

/**
 * Fields, boxes and switches whose edge has less than 3 to 1 to what is around it (WCAG 1.4.11), which axe does not
 * measure. One that is disabled or only read may be faint.
 */
export function faintEdges(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
    const lightOf = (color: string) => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    }
    const groundOf = (element: Element | null): string => {
      if (element === null) return getComputedStyle(document.body).backgroundColor
      const { backgroundColor } = getComputedStyle(element)
      return (channels(backgroundColor)[3] ?? 1) === 1 ? backgroundColor : groundOf(element.parentElement)
    }
    const edged = '.mantine-Input-input, .mantine-Checkbox-input, .mantine-Radio-radio, .mantine-Switch-track'
    return [...document.querySelectorAll(edged)].flatMap((control) => {
      const { borderTopWidth, borderTopColor } = getComputedStyle(control)
      const isOff = control.matches(':disabled, :disabled + *, [readonly]')
      if (isOff || (borderTopWidth === '0px' && !control.matches('.mantine-Switch-track'))) return []
      const lights = [lightOf(borderTopColor), lightOf(groundOf(control.parentElement))]
      const ratio = Math.max(...lights) / Math.min(...lights)
      return ratio >= 3 ? [] : [`${ratio.toFixed(2)} ${control.outerHTML.slice(0, 200)}`]
    })
  })
}
