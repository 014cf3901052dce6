/**
 * `npm run screenshots`: pictures of every screen of the running product, into docs/screens/; a name selects one screen.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '../e2e/browser.ts'
import { everyScreen, openEveryScreen } from '../e2e/every-screen.ts'
import { lookingOperatorEmail } from '../e2e/visitors.ts'
import { buildWeb } from './build-web.ts'
import { fillDemo } from './demo.ts'
import { temporaryFolder } from './postgres.ts'
import { startProduct } from './product.ts'
import { say } from './say.ts'

const schemes = ['light', 'dark'] as const
const sizes = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }
const quality = 70

const target = join(import.meta.dirname, '../docs/screens')
const wanted = process.argv.slice(2)
const screens = everyScreen.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const folder = temporaryFolder('tributary-screens-')
if (wanted.length === 0) rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
await buildWeb()
const product = await startProduct({ folder, environment: { OPERATOR_EMAILS: lookingOperatorEmail }, say })
const browser = await launchBrowser()
try {
  await fillDemo({ address: product.address, say })
  const open = await openEveryScreen(browser, { baseURL: product.address, viewport: sizes.desk })
  for (const screen of screens) {
    const page = await open(screen)
    for (const size of screen.isPhoneOnly ? (['phone'] as const) : (['desk', 'phone'] as const)) {
      await page.setViewportSize(sizes[size])
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        const file = `${screen.name}-${size}-${colorScheme}.jpg`
        await page.screenshot({ path: join(target, file), type: 'jpeg', quality, animations: 'disabled' })
        say(`docs/screens/${file}`)
      }
    }
    await page.setViewportSize(sizes.desk)
  }
} finally {
  await browser.close()
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}
