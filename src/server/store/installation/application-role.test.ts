import { spawn } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { bareEnvironment } from '#test/bare-environment.ts'
import { newEmptyDatabase, run } from '#test/database.ts'
import { applicationUrl, NotMigrated } from './application-role.ts'
import { listMigrationNames, migrate } from './migrate.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function empty() {
  const db = await newEmptyDatabase()
  opened.push(db)
  return db
}

const whoAmI = async (url: string) =>
  (await run<{ name: string }>(url, 'select current_user as name'))[0]?.name

/** Runs the command as a process and waits for its end. */
async function migrateByCommand(databaseUrl: string) {
  const child = spawn('node', ['src/cli/tributary.ts', 'migrate'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment, DATABASE_URL: databaseUrl },
  })
  let error = ''
  child.stderr.on('data', (data) => (error += String(data)))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, error }
}

describe('a database whose owner is no superuser', () => {
  it('is migrated any number of times, and keeps the password of its role', async () => {
    const { databaseUrl } = await empty()
    const [owner] = await run(databaseUrl, 'select rolsuper, rolbypassrls from pg_roles where rolname = user')
    expect(owner).toEqual({ rolsuper: false, rolbypassrls: false })
    // Neither a schema of its own nor a setting leads its tables elsewhere.
    const name = new URL(databaseUrl).pathname.slice(1)
    await run(databaseUrl, `create schema authorization current_user; create schema elsewhere`)
    await run(databaseUrl, `alter database ${name} set search_path = elsewhere`)
    expect(await migrate(databaseUrl)).toEqual(await listMigrationNames())
    const first = await applicationUrl(databaseUrl)
    expect(await migrate(databaseUrl)).toEqual([])
    expect(await applicationUrl(databaseUrl)).toBe(first)
    expect(await whoAmI(first)).toMatch(/^tributary_app_empty_/)
    expect(await run(first, 'select from "user"')).toEqual([])
  })

  it('has a role whose password it alone can read', async () => {
    const { databaseUrl } = await empty()
    await migrate(databaseUrl)
    const url = await applicationUrl(databaseUrl)
    for (const text of ['select * from application_role', 'delete from application_role'])
      await expect(run(url, text)).rejects.toThrow(/permission denied/)
    expect(new URL(url).password).toMatch(/^[0-9a-f]{64}$/)
  })

  it('gives its role the password again that somebody has changed', async () => {
    const { databaseUrl } = await empty()
    await migrate(databaseUrl)
    const url = await applicationUrl(databaseUrl)
    await run(databaseUrl, `alter role ${new URL(url).username} password 'another'`)
    await expect(whoAmI(url)).rejects.toThrow(/authentication failed/)
    await migrate(databaseUrl)
    expect(await whoAmI(url)).toBe(new URL(url).username)
  })

  it('refuses a role that has been given power, and says what to do', async () => {
    const { databaseUrl, ownerUrl } = await empty()
    await migrate(databaseUrl)
    const role = new URL(await applicationUrl(databaseUrl)).username
    await run(ownerUrl, `alter role ${role} bypassrls createdb`)
    await run(ownerUrl, `grant pg_read_all_data to ${role}`)
    expect(await migrateByCommand(databaseUrl)).toEqual({
      code: 1,
      error:
        `Tributary cannot migrate: The role ${role} must have no power, but is createdb, bypassrls, ` +
        'member of another role. Take that from it and migrate again.\n',
    })
  })

  it('that was never migrated has no role to work as', async () => {
    const { databaseUrl } = await empty()
    await expect(applicationUrl(databaseUrl)).rejects.toThrow(NotMigrated)
  })
})

describe('two installations on one cluster', () => {
  it('have roles and passwords of their own, and neither gets into the other', async () => {
    const [one, two] = [await empty(), await empty()]
    await migrate(one.databaseUrl)
    const first = new URL(await applicationUrl(one.databaseUrl))
    await migrate(two.databaseUrl)
    const second = new URL(await applicationUrl(two.databaseUrl))
    expect(second.username).not.toBe(first.username)
    expect(second.password).not.toBe(first.password)
    expect(await whoAmI(first.href)).toBe(first.username)
    const across = new URL(first)
    across.pathname = second.pathname
    await expect(whoAmI(across.href)).rejects.toThrow(/permission denied for database/)
  })

  it('where one is a copy of the other, too', async () => {
    const [one, two] = [await empty(), await empty()]
    await migrate(one.databaseUrl)
    await migrate(two.databaseUrl)
    const first = await applicationUrl(one.databaseUrl)
    const [row] = await run(one.databaseUrl, 'select role_name, password from application_role')
    await run(two.databaseUrl, 'update application_role set role_name = $1, password = $2', [
      row?.['role_name'],
      row?.['password'],
    ])
    await migrate(two.databaseUrl)
    expect(new URL(await applicationUrl(two.databaseUrl)).username).not.toBe(new URL(first).username)
    expect(await whoAmI(first)).toBe(row?.['role_name'])
  })
})

it('migrate ends in one line where the database cannot be reached or is newer than the code', async () => {
  expect(await migrateByCommand('postgres://nobody:x@127.0.0.1:9/none')).toEqual({
    code: 1,
    error:
      'Tributary cannot migrate: setting DATABASE_URL: nothing answers at 127.0.0.1:9; start PostgreSQL there, or correct host and port\n',
  })
  const { databaseUrl } = await empty()
  await migrate(databaseUrl)
  await run(databaseUrl, `insert into migrations (name) values ('9999_later.sql')`)
  expect(await migrateByCommand(databaseUrl)).toEqual({
    code: 1,
    error: expect.stringMatching(/^Tributary cannot migrate: .*does not know: 9999_later\.sql.*\n$/),
  })
})
