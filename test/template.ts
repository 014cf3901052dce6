import { randomUUID } from 'node:crypto'
import { dropDatabase, keepConnections, run } from './query.ts'

export const templateName = 'tributary_template'

/** The cluster's maintenance database for its superuser, and the migrated template for its owner. */
export type TestAddresses = { clusterUrl: string; templateUrl: string }

/** A database of a test: for its owner, who is no superuser, and for the cluster's superuser. */
type Copy = { databaseUrl: string; ownerUrl: string; drop(): Promise<void> }

/** Copies the migrated template, or another database that nobody is connected to. */
export async function copyTemplate(
  { clusterUrl, templateUrl }: TestAddresses,
  template = templateName,
): Promise<Copy> {
  keepConnections(clusterUrl)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const databaseUrl = atDatabase(templateUrl, name)
  const owner = new URL(databaseUrl).username
  await run(clusterUrl, `create database ${name} template ${template} strategy file_copy owner ${owner}`)
  return {
    databaseUrl,
    ownerUrl: atDatabase(clusterUrl, name),
    drop: () => dropDatabase(clusterUrl, name),
  }
}

/** The same address at another database. */
export function atDatabase(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

/** The name of the database at the address. */
export const nameOf = (address: string) => new URL(address).pathname.slice(1)
