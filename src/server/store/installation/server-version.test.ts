import { expect, it } from 'vitest'
import { refuseOldServer } from './server-version.ts'

it.each([90_624, 130_013, 140_006])('the server version %s is refused in one line', (number) => {
  const version = Math.floor(number / 10_000)
  expect(() => refuseOldServer(number)).toThrow(
    new RegExp(`^This is PostgreSQL ${version}, and [^\n]* needs 15 [^\n]*$`),
  )
})

it.each([150_000, 170_004, 180_001])('the server version %s is accepted', (number) => {
  expect(() => refuseOldServer(number)).not.toThrow()
})
