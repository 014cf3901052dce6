/** What the page on going live says, so that tests follow it word by word. */
import { readFileSync } from 'node:fs'

const text = readFileSync(`${import.meta.dirname}/../docs/going-live.md`, 'utf8')

/** The blocks of settings, each as it stands there, and the headings above them. */
export function settingsOf(heading: string): Record<string, string> {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  const lines = [...section.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([A-Z_]+)="?(.*?)"?$/.exec(line) ?? []
      return [name, value]
    }),
  )
}

/** The commands of `npm run tributary` on the page, without their arguments. */
export const commandsOnPage = [...text.matchAll(/npm run tributary -- ([\w-]+)/g)].map(
  ([, name]) => name ?? '',
)

/** The rows of the table of scopes. */
export const scopesOnPage = [...text.matchAll(/^\| `([\w.]+)` \| (required|optional) \| (.*) \|$/gm)].map(
  ([, name, kind, use]) => ({ name, isOptional: kind === 'optional', use }),
)

export const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
