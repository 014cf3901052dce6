import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { amounts } from './mrr/page-examples/amounts.ts'
import { changes } from './mrr/page-examples/changes.ts'
import { outcomeOf, type PageExample } from './mrr/page-examples/example.ts'
import { lives } from './mrr/page-examples/lives.ts'

const text = readFileSync(join(import.meta.dirname, '../docs/mrr.md'), 'utf8')
const examples: PageExample[] = [...amounts, ...changes, ...lives]

type Told = { heading: string; outcome: string[] }

/** The examples of the page: a line 'R12: what happens', then its results as indented lines. */
function examplesOf(page: string): Told[] {
  const blocks = [...page.matchAll(/```text\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const told: Told[] = []
  for (const line of blocks.flatMap((block) => block.split('\n')).filter((each) => each.trim() !== '')) {
    if (/^R\d+: /.test(line)) told.push({ heading: line, outcome: [] })
    else told.at(-1)?.outcome.push(line.trim())
  }
  return told
}

const told = examplesOf(text)

test.each(examples.map((example) => [`${example.rule}: ${example.words}`, example] as const))(
  'docs/mrr.md says what the engine makes of %s',
  (heading, example) => {
    expect(told.filter((one) => one.heading === heading)).toEqual([{ heading, outcome: outcomeOf(example) }])
  },
)

test('docs/mrr.md has an example of every rule, and none that is not checked', () => {
  const rules = new Set(told.map(({ heading }) => heading.split(':')[0]))
  expect(
    Array.from({ length: 38 }, (_, index) => `R${index + 1}`).filter((rule) => !rules.has(rule)),
  ).toEqual([])
  const known = examples.map(({ rule, words }) => `${rule}: ${words}`)
  expect(told.map(({ heading }) => heading).filter((heading) => !known.includes(heading))).toEqual([])
})
