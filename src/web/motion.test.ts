import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (pattern: string) =>
  globSync(pattern).map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test('no script scrolls smoothly, because it would not ask whether a person wants motion', () => {
  const scripts = read('src/web/**/*.{ts,tsx}').filter(({ file }) => !/\.test\.tsx?$/.test(file))
  expect(scripts.length).toBeGreaterThan(100)
  expect(scripts.filter(({ text }) => /behavior: ['"]smooth/.test(text)).map(({ file }) => file)).toEqual([])
})

test('styles scroll smoothly only where a person has not asked for less motion', () => {
  const smooth = /scroll-behavior:\s*smooth/g
  const asking =
    /@media \(prefers-reduced-motion: no-preference\) \{\s*[^{}]*\{\s*scroll-behavior:\s*smooth;\s*\}/g
  const counts = read('src/web/**/*.css').map(({ file, text }) => ({
    file,
    smooth: text.match(smooth)?.length ?? 0,
    asking: text.match(asking)?.length ?? 0,
  }))
  expect(counts.filter((each) => each.smooth > 0).length).toBeGreaterThan(0)
  expect(counts.filter((each) => each.smooth !== each.asking)).toEqual([])
})
