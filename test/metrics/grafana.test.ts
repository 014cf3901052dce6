import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createInstallationFigures } from '#server/installation-figures.ts'
import { installQueues } from '#server/jobs/install-queues.ts'
import { createMetrics } from '#server/metrics.ts'
import { newDatabase, type TestDatabase } from '../database.ts'

/** Labels that Prometheus itself gives to every series. */
const labelsOfPrometheus = ['instance', 'job']

type Rule = { alert: string; expr: string; annotations: { summary: string } }
const board = JSON.parse(readFileSync('deploy/grafana/board.json', 'utf8')) as {
  panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[]
}
const { groups } = parse(readFileSync('deploy/grafana/alerts.yaml', 'utf8')) as {
  groups: { rules: Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const asked = [
  ...board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
]

let db: TestDatabase
/** The labels of each metric that a process shows. */
let shown: Map<string, Set<string>>
beforeAll(async () => {
  db = await newDatabase()
  await installQueues(db.databaseUrl)
  const metrics = createMetrics()
  metrics.watchInstallation(createInstallationFigures(db.database, () => performance.now()))
  metrics.observeConnection(0.1)
  metrics.observeLags({ organizationId: 1, to: 'crm', seconds: [1], waitingSeconds: 0 })
  metrics.observeRun({ kind: 'import', status: 'failed', seconds: 1, processed: 1, failed: 1 })
  metrics.observeRequest({ method: 'GET', route: '/', status: 200, seconds: 1 })
  await metrics.countAnswers('stripe', async () => ({ status: 429 }))()
  shown = labelsIn((await metrics.render()).text)
})
afterAll(() => db.close())

function labelsIn(text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  for (const [, name = '', given = ''] of text.matchAll(/^([a-zA-Z_]\w*)(?:\{(.*)\})? /gm)) {
    const own = labels.get(name) ?? new Set(labelsOfPrometheus)
    for (const [, label = ''] of given.matchAll(/(\w+)="/g)) own.add(label)
    labels.set(name, own)
  }
  return labels
}

/** The words of one kind in an expression. Throws where it is no PromQL. */
function wordsOf(expression: string, ...kinds: string[]): string[] {
  const words: string[] = []
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expression}`)
      if (kinds.includes(node.name)) words.push(expression.slice(node.from, node.to))
    },
  })
  return words
}

const metricsOf = (expression: string) => wordsOf(expression, 'Identifier')

describe('the board and the alerts', () => {
  it.each(asked)('%s asks only for what a process shows: %s', (_, expression) => {
    const names = metricsOf(expression)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !shown.has(name))).toEqual([])
    const known = new Set(names.flatMap((name) => [...(shown.get(name) ?? [])]))
    const labels = wordsOf(expression, 'LabelName')
    expect(labels.filter((label) => !known.has(label))).toEqual([])
  })

  it('ask for every metric of our own', () => {
    const named = asked.flatMap(([, expression]) => metricsOf(expression)).map(familyOf)
    const own = [...shown.keys()].filter((name) => name.startsWith('tributary_')).map(familyOf)
    expect([...new Set(own)].filter((name) => !named.includes(name))).toEqual([])
  })

  it('name only labels that the series still has', () => {
    const texts = [
      ...board.panels.flatMap(({ targets }) =>
        targets.map(({ expr, legendFormat }) => [expr, legendFormat, /\{\{(\w+)\}\}/g] as const),
      ),
      ...rules.map(({ expr, annotations }) => [expr, annotations.summary, /\$labels\.(\w+)/g] as const),
    ]
    for (const [expression, text, form] of texts) {
      const known = [...wordsOf(expression, 'LabelName'), ...labelsOfPrometheus]
      for (const [, label = ''] of text.matchAll(form)) expect(known, text).toContain(label)
    }
  })

  it('are each of their own', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it('are told in docs/operations.md, alert by alert', () => {
    const text = readFileSync('docs/operations.md', 'utf8')
    expect(rules.filter(({ alert }) => !text.includes(`\`${alert}\``))).toEqual([])
  })

  it.each(['sum by (provider (up)', 'rate(up[5m)', ''])('no PromQL is refused: %j', (expression) => {
    expect(() => wordsOf(expression || ')', 'Identifier')).toThrow('no PromQL')
  })
})

/** A histogram shows three series. */
function familyOf(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, '')
}
