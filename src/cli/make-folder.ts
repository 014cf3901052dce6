import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes the folder and those above it. Node's own way never returns for a folder below /proc, so each folder is made by
 * itself. Throws the error of the file system.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(dirname(path))
  mkdirSync(path)
}
