/** Resets the document after every test of screens, so that the next test starts fresh in any file. */
import { afterEach } from 'vitest'
import { closeApps } from './open-app.tsx'

afterEach(closeApps)
