import { buildWeb } from '../tools/build-web.ts'

/** Builds the web app before any file begins, so that no two build it at once. */
export async function setup(): Promise<void> {
  await buildWeb()
}
