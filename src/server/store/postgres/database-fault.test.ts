import { describe, expect, it } from 'vitest'
import { databaseFault } from './database-fault.ts'
import { isDatabaseAway } from './is-database-away.ts'

const url = 'postgres://owner:hidden@db.example:5433/tributary?sslmode=verify-full'
const failure = (code: string, message = 'it failed') => Object.assign(new Error(message), { code })

describe('a fault of the database', () => {
  it.each([
    [failure('ECONNREFUSED'), 'nothing answers at db.example:5433'],
    [new AggregateError([failure('ECONNREFUSED')]), 'nothing answers at db.example:5433'],
    [failure('ETIMEDOUT'), 'db.example:5433 does not answer'],
    [new Error('timeout expired'), 'db.example:5433 does not answer'],
    [failure('EAI_AGAIN'), 'look at the DNS'],
    [failure('28000', 'role "owner" is not permitted to log in'), 'refused the user owner'],
    [failure('SELF_SIGNED_CERT_IN_CHAIN'), 'name the file of its authority in NODE_EXTRA_CA_CERTS'],
    [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'the certificate of db.example:5433 is not trusted'],
    [failure('57P03'), 'is starting or stopping'],
    [failure('53300'), 'raise its max_connections'],
    [failure('25006'), 'only reads, as a standby does'],
    [new Error('Connection terminated unexpectedly'), 'broke the connection off'],
    [new Error('Migration 2 failed', { cause: failure('57P01') }), 'is starting or stopping'],
  ])('%s says what to do: %s', (error, told) => {
    const line = databaseFault(error, url)
    expect(line).toMatch(/^DATABASE_URL: /)
    expect(line).toContain(told)
    expect(line).not.toMatch(/hidden|\n/)
  })

  it('is a socket file that is not there, but no other file', () => {
    const onSocket = 'postgres://owner@host/tributary?host=/run/postgresql'
    const absent = Object.assign(failure('ENOENT'), { syscall: 'connect' })
    expect(databaseFault(absent, onSocket)).toContain('nothing answers at /run/postgresql; start PostgreSQL')
    const file = Object.assign(failure('ENOENT'), { syscall: 'open' })
    expect(databaseFault(file, onSocket)).toBeUndefined()
    expect([absent, file].map(isDatabaseAway)).toEqual([true, false])
  })

  it('is nothing else', () => {
    expect(databaseFault(failure('42P01'), url)).toBeUndefined()
    expect(databaseFault(new Error('The file is there already.'), url)).toBeUndefined()
    expect(databaseFault('a text', url)).toBeUndefined()
  })

  it('passes by itself while the database does not answer in time', () => {
    expect([new Error('timeout expired'), failure('EHOSTUNREACH')].map(isDatabaseAway)).toEqual([true, true])
    expect(isDatabaseAway(failure('28P01'))).toBe(false)
  })
})
