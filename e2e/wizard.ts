import type { Page } from 'playwright-core'
import type { PersonDetails } from './person.ts'

export const personOf = (name: string): PersonDetails => ({
  name: `Kim ${name}`,
  email: `kim@${name}.example`,
  password: 'a-long-enough-passphrase',
})

export const atStep = (page: Page, step: string) => page.waitForURL(`**/setup/${step}`)

export const sidebarOf = (page: Page) => page.getByRole('navigation', { name: 'Main' })
