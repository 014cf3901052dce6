import type { DatabaseFacts } from '#server/store/installation/inspect-database.ts'
import { oldestPostgres } from '#server/store/installation/server-version.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

/** What one server and one worker may open together (docs/operations.md). */
const connectionsNeeded = 45

const { ok, warning, wrong } = symptomsOf('database')

/** What is wrong with a database that answers. */
export function judgeDatabase(facts: DatabaseFacts): Symptom[] {
  return [judgeVersion(facts), judgeRole(facts), judgeMigrations(facts), judgeConnections(facts)]
}

function judgeVersion({ version, versionNumber }: DatabaseFacts): Symptom {
  const name = `PostgreSQL ${version}`
  if (versionNumber >= oldestPostgres) return ok(name)
  return wrong(`${name} is too old: Tributary needs PostgreSQL ${oldestPostgres / 10_000} or newer`)
}

function judgeRole({ role, mayCreateRoles }: DatabaseFacts): Symptom {
  if (role === null) return wrong('the role of the application is missing: run `tributary migrate`')
  if (role.powers.length > 0) {
    return wrong(
      `the role ${role.name} must have no power, but is ${role.powers.join(', ')}: take that from it, then run \`tributary migrate\``,
    )
  }
  if (!mayCreateRoles) {
    return wrong(
      'the owner of DATABASE_URL may not create roles, so `tributary migrate` fails: give it CREATEROLE',
    )
  }
  return ok(`the application works as ${role.name}, which has no power`)
}

function judgeMigrations({ pending, unknown }: DatabaseFacts): Symptom {
  if (unknown.length > 0) {
    return wrong(`a newer version of Tributary owns it (${unknown.join(', ')}): start that version`)
  }
  if (pending.length > 0) return wrong(`it lacks ${pending.join(', ')}: run \`tributary migrate\``)
  return ok('its tables are up to date')
}

function judgeConnections({ maxConnections }: DatabaseFacts): Symptom {
  const text = `it allows ${maxConnections} connections`
  if (maxConnections >= connectionsNeeded) return ok(text)
  return warning(
    `${text}, and a server and a worker may open ${connectionsNeeded}: raise max_connections of PostgreSQL`,
  )
}
