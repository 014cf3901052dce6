import { buildWeb } from '../tools/build-web.ts'
import { browserPath } from './browser.ts'

/** Builds the web app and unpacks the browser before any file starts, so that no two files do so at once. */
export async function setup(): Promise<void> {
  await buildWeb()
  await browserPath()
}
