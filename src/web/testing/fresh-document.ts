/** After every test of screens: leaves the document to the next as a fresh one, in whatever file that is. */
import { afterEach } from 'vitest'
import { closeApps } from './open-app.tsx'

afterEach(closeApps)
