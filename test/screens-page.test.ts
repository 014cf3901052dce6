import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { everyScreen } from '../e2e/every-screen.ts'

const page = readFileSync('docs/screens.md', 'utf8')
const schemes = ['light', 'dark']

describe('docs/screens.md', () => {
  it.each(everyScreen.map(({ name, isPhoneOnly = false }) => [name, isPhoneOnly] as const))(
    'shows %s in both schemes',
    (name, isPhoneOnly) => {
      const sizes = isPhoneOnly ? ['phone'] : ['desk', 'phone']
      const pictures = sizes.flatMap((size) =>
        schemes.map((scheme) => `screens/${name}-${size}-${scheme}.jpg`),
      )
      expect(pictures.filter((picture) => !page.includes(`"${picture}"`))).toEqual([])
    },
  )

  it('shows only pictures that exist', () => {
    const pictures = [...page.matchAll(/src="([^"]+)"/g)].map(([, path]) => `docs/${path}`)
    expect(pictures.filter((path) => !existsSync(path))).toEqual([])
  })
})
