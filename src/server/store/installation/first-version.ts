/**
 * Version 0.1 built its schema in many migrations; 0001_schema.sql creates the same schema at once. A database with
 * all migrations of version 0.1 continues as if 0001_schema.sql had created it.
 */
const firstOfVersion01 = '0001_identity.sql'
const lastOfVersion01 = '0038_deletion_and_erasure.sql'
const sameSchema = '0001_schema.sql'

/** The applied migrations but those of version 0.1, which this version knows under another name. */
export function withoutFirstVersion(applied: string[]): string[] {
  return applied.includes(firstOfVersion01) ? applied.filter((name) => name > lastOfVersion01) : applied
}

/**
 * The applied migrations by this version's names. Throws an Error with what to do if a migration of version 0.1 is
 * missing.
 */
export function renameFirstVersion(applied: string[]): string[] {
  if (!applied.includes(firstOfVersion01)) return applied
  if (!applied.includes(lastOfVersion01))
    throw new Error(
      'The database was made by an early version of 0.1. Start version 0.1.0 on it once, then this one.',
    )
  return [sameSchema, ...applied.filter((name) => name > lastOfVersion01)]
}
