/**
 * Version 0.1 came to its schema by many migrations; 0001_schema.sql makes the same schema at once. A database of that
 * version goes on as if it had been made by it, provided that it had them all.
 */
const firstOfVersion01 = '0001_identity.sql'
const lastOfVersion01 = '0038_deletion_and_erasure.sql'
const sameSchema = '0001_schema.sql'

/**
 * The applied migrations by the names that this version has for them. Raises an Error with what to do where version 0.1 had
 * not come to its end.
 */
export function renameFirstVersion(applied: string[]): string[] {
  if (!applied.includes(firstOfVersion01)) return applied
  if (!applied.includes(lastOfVersion01))
    throw new Error(
      'The database was made by an early version of 0.1. Start version 0.1.0 on it once, then this one.',
    )
  return [sameSchema, ...applied.filter((name) => name > lastOfVersion01)]
}
