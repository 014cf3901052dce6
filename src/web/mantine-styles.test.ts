import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const listed = new Set(
  [...readFileSync('src/web/mantine-styles.ts', 'utf8').matchAll(/styles\/([\w-]+)\.css/g)].map(
    ([, name]) => name ?? '',
  ),
)
const used = globSync('src/web/**/*.tsx').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap(([, names]) =>
    (names ?? '').split(',').map((name) => name.trim()),
  ),
)
const styleSheet = (name: string) => `node_modules/@mantine/core/styles/${name}.css`

test('every component in use has its styles', () => {
  expect(used).toContain('Button')
  expect(used.filter((name) => existsSync(styleSheet(name)) && !listed.has(name))).toEqual([])
})

test('so have the parts that components are made of', () => {
  const folder = 'node_modules/@mantine/core/esm/components'
  const partsOf = (name: string): string[] =>
    globSync(`${folder}/${name}/*.mjs`).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/from ["']\.\.\/((\w+)\/[\w/]+\.mjs)/g)].flatMap(
        ([, path, part]) =>
          readFileSync(`${folder}/${path}`, 'utf8').includes('.module.mjs') ? [part ?? ''] : [],
      ),
    )
  const missing = [...listed, ...used].flatMap((name) =>
    partsOf(name).filter((part) => existsSync(styleSheet(part)) && !listed.has(part)),
  )
  expect(missing).toEqual([])
})

test('they come in the order of the library, on which they rely', () => {
  const whole = readFileSync('node_modules/@mantine/core/styles.css', 'utf8')
  const places = [...listed]
    .flatMap((name) => /\.m_[0-9a-f]+/.exec(readFileSync(styleSheet(name), 'utf8'))?.[0] ?? [])
    .map((className) => whole.indexOf(className))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
