import { buildWeb } from '../tools/build-web.ts'

/** Builds the web app before any file starts, so that no two files build it at once. */
export async function setup(): Promise<void> {
  await buildWeb()
}
