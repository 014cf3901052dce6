import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { alone } from '../e2e/alone.ts'
import { tests } from '../prove/long-tests.ts'

const sources = globSync('{src,test}/**/*.ts').map((file) => readFileSync(file, 'utf8'))

it.each(Object.entries(tests))(
  'the proof %s has its tests, which read its numbers',
  (_, { files, numbers }) => {
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    for (const name of Object.keys(numbers)) {
      const reading = `process.env['${name}']`
      expect(sources.filter((text) => text.includes(reading)).length, name).toBeGreaterThan(0)
    }
  },
)

it('the README has the numbers of the list of proofs', () => {
  const lines = [...readFileSync('README.md', 'utf8').matchAll(/npm run prove -- (\w+) +# (.+)/g)]
  const told = lines.flatMap(([, name = '', text = '']) => {
    const numbers = text.replace(/(\d),(\d{3})/g, '$1$2').match(/\d+/g) ?? []
    const listed: readonly string[] = tests[name]?.says.replaceAll(',', '').match(/\d+/g) ?? []
    return numbers.map((number) => ({ name, number, isListed: listed.includes(number) }))
  })
  expect(told.length).toBeGreaterThan(8)
  expect(told.filter(({ isListed }) => !isListed)).toEqual([])
})

it('every number that a test reads stands in the list of proofs', () => {
  const told = Object.values(tests)
    .map(({ says, numbers }) => `${says} ${Object.keys(numbers).join(' ')}`)
    .join(' ')
  const read = sources.flatMap((text) =>
    [...text.matchAll(/Number\(process\.env\['(\w+)'\] \?\?/g)].map(([, name = '']) => name),
  )
  expect(new Set(read).size).toBeGreaterThan(10)
  expect([...new Set(read)].filter((name) => !new RegExp(`\\b${name}\\b`).test(told))).toEqual([])
})

it('tests of screens that have the shared world to themselves are there', () => {
  expect(alone.filter((name) => !existsSync(`e2e/screens/${name}.test.ts`))).toEqual([])
})
