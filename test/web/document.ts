/**
 * Gives a process one document for all of its files with screens, one after the other: a process and a document for each
 * cost as much as the tests themselves. No file leaves a screen, or what a browser keeps, to the next.
 */
import { afterAll, afterEach, expect } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

if (!('document' in globalThis)) await builtinEnvironments.jsdom.setup(globalThis, {})
// What draws screens looks for a document when it is loaded.
const { closeApps } = await import('./open-app.tsx')

afterEach(closeApps)

afterAll(() => {
  expect(document.body.textContent, 'the file left a screen').toBe('')
  document.body.replaceChildren()
  document.title = ''
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name)
  localStorage.clear()
  sessionStorage.clear()
})
