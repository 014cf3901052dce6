import { type Database, inOrganization, type Tenant } from './database.ts'

/**
 * Runs work on a database that is rolled back at the end. The work sees its own writes over all its transactions;
 * nobody else sees them. It must not wait for anything but the database.
 */
export async function rehearse<T>(
  database: Database,
  organizationId: number,
  work: (rehearsed: Database) => Promise<T>,
): Promise<T> {
  let result: { value: T } | undefined
  const undo = new Error('The rehearsal is over.')
  try {
    await inOrganization(database, organizationId, async (tenant) => {
      result = { value: await work(withinOne(tenant)) }
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
  if (result === undefined) throw new Error('A rehearsal ended without a result.')
  return result.value
}

/** A database whose transactions all run in the open one. */
function withinOne({ sql: transaction }: Tenant): Database {
  const execute = <T>(work: (inTurn: typeof transaction) => Promise<T>) => work(transaction)
  return new Proxy<Database>(transaction, {
    get: (target, name) => (name === 'transaction' ? () => ({ execute }) : Reflect.get(target, name, target)),
  })
}
