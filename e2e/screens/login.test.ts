import { afterAll, beforeAll, it } from 'vitest'
import { demo } from '../../tools/demo.ts'
import { button, expectTexts, expectTitle, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

it('is a screen of its own, and leads to the dashboard', async () => {
  const { page } = await look.newPerson()
  await page.goto('/login')
  await page.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor()
  await page.getByLabel('Email').fill(demo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
  await button(page, 'Sign in').click()
  await page.waitForURL((url) => url.pathname === '/')
  await expectTitle(page, 'Dashboard')
})

it('opens the demo workspace with one click, and lets the signed-in pass by', async () => {
  const { page } = await look.newPerson()
  await page.goto('/events')
  await button(page, 'Explore the demo workspace').click()
  await expectTitle(page, 'Events')
  await page.waitForURL('**/events')
  for (const [path, arrives] of [
    ['/login', '/'],
    ['/sign-up', '/'],
    ['/sign-in?redirectUrl=%2Fsubscriptions', '/subscriptions'],
  ] as const) {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === arrives)
  }
})

it('stands at any address for the signed out, and leads on to that address', async () => {
  const { page } = await look.newPerson()
  await page.goto('/events?mrrStatus=Churn')
  await page.getByLabel('Email').fill(demo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
  await button(page, 'Sign in').click()
  await expectTitle(page, 'Events')
  await page.waitForURL('**/events?mrrStatus=Churn')
})

it('leads to the sign-up', async () => {
  const { page } = await look.newPerson()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.waitForURL('**/sign-up')
  await expectTexts(page, 'Sign up for Tributary')
})
