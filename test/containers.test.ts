import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { workerEnvironment, workerFlags } from '../tools/worker-flags.ts'

const compose = readFileSync('compose.yaml', 'utf8')
const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name))
const passed = namesIn(compose, /\$\{(\w+):/g)

it.each(['compose.yaml', 'docs/operations.md'])('%s starts a worker with the flags that it needs', (file) => {
  const [, command = ''] =
    /(MALLOC_[^#]*?) src\/cli\/tributary\.ts worker/.exec(readFileSync(file, 'utf8')) ?? []
  const environment = Object.entries(workerEnvironment).map(([name, value]) => `${name}=${value}`)
  expect(command.split(/[\s\\]+/)).toEqual([...environment, 'node', ...workerFlags])
})

describe('compose.yaml', () => {
  it('passes on only settings that the configuration reads', () => {
    const read = namesIn(readFileSync('src/server/config.ts', 'utf8'), /^ {2}([A-Z_]+): /gm)
    const handed = namesIn(compose.split('services:')[0] ?? '', /^ {4}([A-Z_]+): /gm)
    expect(handed.size).toBeGreaterThan(8)
    expect([...handed].filter((name) => !read.has(name))).toEqual([])
  })

  it('asks for no value that the example of settings leaves out, nor the other way round', () => {
    const offered = namesIn(readFileSync('docs/settings.example', 'utf8'), /^([A-Z_]+)=/gm)
    expect([...offered].sort()).toEqual([...passed].sort())
  })

  it('runs only commands and files that exist', () => {
    for (const [, file = ''] of compose.matchAll(/command: node (?:--\S+ )*(\S+)/g))
      expect(() => readFileSync(file)).not.toThrow()
    const image = readFileSync('Dockerfile', 'utf8')
    expect(() => readFileSync(/"(src\/[^"]+)"/.exec(image)?.[1] ?? 'missing')).not.toThrow()
  })
})
