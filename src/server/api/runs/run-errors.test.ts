import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { addRun } from '#test/store/seed.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { addRunErrors } from '../../store/runs/run-lines.ts'

let test: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
const count = 14_000
const at = new Date(Date.UTC(2026, 10, 1, 8))
beforeAll(async () => {
  test = await openTestApp()
  owner = await test.signedIn('own@errors.test', 'Errors')
  await inOrganization(test.deps.database, owner.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_refused', kind: 'push', status: 'completed', at })
    const errors = Array.from({ length: count }, (_, n) => ({
      sourceId: `sub_${n}`,
      message: `Refused ${n}.`,
    }))
    await addRunErrors(tenant, 'run_refused', errors, at)
    await addRunErrors(tenant, 'run_refused', [{ sourceId: null, message: '=HYPERLINK("x"), "y"' }], at)
  })
})
afterAll(() => test.close())

const path = '/api/sync/import-status/run_refused/errors'

it('gives every error of a run as a file, in order, and no cell that a spreadsheet would calculate', async () => {
  const answer = await owner.get(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = answer.text.trimEnd().split('\r\n')
  expect(head).toBe('"Time (UTC)","Source ID","Error Message"')
  expect(lines).toHaveLength(count + 1)
  const told = at.toISOString().slice(0, 19).replace('T', ' ')
  expect([lines[0], lines[count - 1]]).toEqual([
    `"${told}","sub_0","Refused 0."`,
    `"${told}","sub_13999","Refused 13999."`,
  ])
  expect(lines[count]).toBe(`"${told}","","'=HYPERLINK(""x""), ""y"""`)
})

it('shows the newest of them in the details', async () => {
  const { body } = await owner.get('/api/sync/import-status/run_refused')
  expect((body as unknown as { errorDetails: unknown[] }).errorDetails).toHaveLength(200)
})

it('gives nothing of a run of another organization', async () => {
  const stranger = await test.signedIn('own@elsewhere.test', 'Elsewhere')
  expect((await stranger.get(path)).status).toBe(404)
})
