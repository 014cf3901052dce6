import { expect, it } from 'vitest'
import { refuseOldServer } from './server-version.ts'

it.each([90_624, 150_013, 170_006])('the server version %s is refused in one line', (number) => {
  const version = Math.floor(number / 10_000)
  expect(() => refuseOldServer(number)).toThrow(
    new RegExp(`^This is PostgreSQL ${version}, and [^\n]* needs 18 [^\n]*$`),
  )
})

it.each([180_000, 180_004, 190_001])('the server version %s is accepted', (number) => {
  expect(() => refuseOldServer(number)).not.toThrow()
})
