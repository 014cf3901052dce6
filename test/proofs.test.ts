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

it('tests of screens that have the shared world to themselves are there', () => {
  expect(alone.filter((name) => !existsSync(`e2e/screens/${name}.test.ts`))).toEqual([])
})
