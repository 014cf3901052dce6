import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startChild } from './child.ts'
import { openLogFile } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tributary-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a log', () => {
  it('goes on in a new file before it is too large, and keeps the one before', async () => {
    const path = join(folder, 'rotated.log')
    writeFileSync(path, 'of an earlier start\n')
    const log = openLogFile({ path, onDrop: () => {}, rotateAt: 40 })
    for (const line of ['one\n', 'two: a line that is long enough\n', 'three\n']) log.write(line)
    log.close()
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('three\n')
    expect(readFileSync(path, 'utf8')).toBe('two: a line that is long enough\nthree\n')
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('of an earlier start\none\n')
  })

  // /dev/full behaves like a file on a full disk.
  it.runIf(existsSync('/dev/full'))(
    'of a full disk drops lines, says so once, and goes on later',
    async () => {
      const path = join(folder, 'full.log')
      symlinkSync('/dev/full', path)
      const told: string[] = []
      const log = openLogFile({ path, onDrop: (reason) => told.push(reason) })
      for (let line = 0; line < 20; line += 1) {
        log.write(`line ${line}\n`)
        await new Promise((next) => setImmediate(next))
      }
      await expect.poll(() => told).toEqual(['the disk is full'])
      unlinkSync(path)
      await expect
        .poll(() => {
          log.write('there is room\n')
          return existsSync(path) && readFileSync(path, 'utf8')
        })
        .toContain('there is room')
      log.close()
      expect(told).toHaveLength(1)
    },
  )

  it.runIf(existsSync('/dev/full'))(
    'that cannot be written ends neither its process nor the starter',
    async () => {
      const logFile = join(folder, 'child.log')
      symlinkSync('/dev/full', logFile)
      const told: string[] = []
      const talks = `setInterval(() => console.log('a line'), 5); process.send({ ready: true })`
      const child = await startChild({
        name: 'talker',
        args: ['-e', talks],
        environment: {},
        logFile,
        say: (line) => told.push(line),
      })
      await expect.poll(() => told).toEqual(['The log of the talker loses lines: the disk is full.'])
      expect(child.process.exitCode).toBeNull()
      await child.stop()
    },
  )
})
