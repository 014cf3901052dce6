import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ruleTexts } from './rule-texts.ts'
import { allTerms } from './terms.ts'

it('explains every rule that the engine can name on a receipt', () => {
  const named = globSync('src/domain/mrr/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'(R\d+)'/g)].map(([, rule]) => rule ?? ''))
  expect(new Set(named).size).toBeGreaterThan(8)
  expect(named.filter((rule) => !Object.hasOwn(ruleTexts, rule))).toEqual([])
})

it('has the whole rule book, R1 to R38', () => {
  expect(Object.keys(ruleTexts)).toEqual(Array.from({ length: 38 }, (_, index) => `R${index + 1}`))
})

it('names each rule of the rule book by a few words of its own', () => {
  const told = [...readFileSync('docs/mrr.md', 'utf8').matchAll(/\bR(\d+)\b/g)].map(([rule]) => rule)
  expect(new Set(told).size).toBe(38)
  expect(told.filter((rule) => !ruleTexts[rule]?.name)).toEqual([])
  const names = Object.values(ruleTexts).map(({ name }) => name)
  expect(new Set(names).size).toBe(38)
  expect(names.filter((name) => name.length > 30 || /R\d|\.$/.test(name))).toEqual([])
})

it('explains each term in one sentence, by rules that exist', () => {
  expect(allTerms.filter(({ text }) => !/^[^.]+\.$/.test(text))).toEqual([])
  expect(allTerms.flatMap(({ rules = [] }) => rules).filter((rule) => !ruleTexts[rule])).toEqual([])
})
