/** `npm run screenshots`: pictures of the running product with its demo organization, into docs/screens/. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '../e2e/browser.ts'
import { buildWeb } from './build-web.ts'
import { demo, fillDemo } from './demo.ts'
import { temporaryFolder } from './postgres.ts'
import { startProduct } from './product.ts'
import { say } from './say.ts'

const screens = [{ name: 'dashboard', path: '/' }]
const schemes = ['light', 'dark'] as const
const settleMs = 1_500

const target = join(import.meta.dirname, '../docs/screens')
const folder = temporaryFolder('tributary-screens-')
mkdirSync(target, { recursive: true })
await buildWeb()
const product = await startProduct({ folder, environment: {}, say })
const browser = await launchBrowser()
try {
  await fillDemo({ address: product.address, say })
  for (const colorScheme of schemes) {
    const context = await browser.newContext({
      baseURL: product.address,
      colorScheme,
      viewport: { width: 1280, height: 860 },
    })
    const page = await context.newPage()
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(demo.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await page.getByRole('button', { name: /^sign in$/i }).click()
    await page.getByText('Current MRR').first().waitFor()
    for (const { name, path } of screens) {
      await page.goto(path)
      await page.waitForTimeout(settleMs)
      await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) })
      say(`docs/screens/${name}-${colorScheme}.png`)
    }
    await context.close()
  }
} finally {
  await browser.close()
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}
