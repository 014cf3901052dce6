import axe from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** The rules of WCAG 2.2, levels A and AA. */
export const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds against these rules in the page as it stands, or in the parts that a selector names. */
export async function violationsOf(page: Page, rules: string[], parts = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async ({ runOnly, parts }) =>
      (await window.axe.run(parts, { runOnly, resultTypes: ['violations'] })).violations,
    { runOnly: rules, parts },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}
