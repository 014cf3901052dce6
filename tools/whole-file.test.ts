import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readWhole, writeWhole } from './whole-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tributary-whole-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a file that is written whole', () => {
  it('holds the new text, for its owner alone', () => {
    const file = join(folder, 'new.json')
    writeWhole(file, '{"a":1}')
    writeWhole(file, '{"a":2}')
    expect(readWhole(file, 'Remove it.')).toEqual({ a: 2 })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('keeps the old text when the new one cannot be written', () => {
    const file = join(folder, 'kept.json')
    writeWhole(file, '{"a":1}')
    // Stands in the way of the new text, as a full disk would.
    mkdirSync(`${file}.half`)
    expect(() => writeWhole(file, '{"a":2}')).toThrow()
    expect(readWhole(file, 'Remove it.')).toEqual({ a: 1 })
  })

  it.each(['', '{"a":', '[]', 'null', '12'])('is refused with what to do when it holds %j', (text) => {
    const file = join(folder, 'cut.json')
    writeFileSync(file, text)
    expect(() => readWhole(file, 'Remove it.')).toThrow(`${file} is damaged. Remove it.`)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('is nothing where there is none', () => {
    expect(readWhole(join(folder, 'none.json'), 'Remove it.')).toBeUndefined()
  })
})
