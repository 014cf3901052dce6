import { errorCodeOf, readOnly } from './error-code.ts'
import { isSocketAbsent } from './is-database-away.ts'

/** The parts of the database's address that a message may name; never the password. */
type Place = { server: string; host: string; user: string; database: string }

const untrusted =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|CERT_(?:HAS_EXPIRED|NOT_YET_VALID|UNTRUSTED)|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** SQLSTATE and network codes, and what to do about each. */
const cures: Record<string, (place: Place) => string> = {
  ECONNREFUSED: ({ server }) =>
    `nothing answers at ${server}; start PostgreSQL there, or correct host and port`,
  ENOTFOUND: ({ host }) => `the host ${host} is unknown; correct it`,
  EAI_AGAIN: ({ host }) =>
    `the name of the host ${host} cannot be looked up now; look at the DNS of this machine`,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  ECONNRESET: ({ server }) => `${server} broke the connection off; is it a PostgreSQL?`,
  '28P01': ({ user }) => `the server refused the user ${user}; correct name and password`,
  '28000': ({ user }) => `the server refused the user ${user}; correct the name, or let it in (pg_hba.conf)`,
  '3D000': ({ database, user }) =>
    `the database ${database} does not exist; create it, for example by: createdb --owner ${user} ${database}`,
  [readOnly]: ({ server }) =>
    `the PostgreSQL at ${server} only reads, as a standby does; name the one that writes`,
  '53300': () => 'the server has no connection left; raise its max_connections',
  '57P01': restarting,
  '57P02': restarting,
  '57P03': restarting,
}

function silent({ server }: Place): string {
  return `${server} does not answer; correct host and port, or open the firewall`
}

function restarting({ server }: Place): string {
  return `the PostgreSQL at ${server} is starting or stopping; try again shortly`
}

/**
 * One line that names DATABASE_URL and says what to do, if the error means that the database cannot be used as
 * the address names it; otherwise undefined.
 */
export function databaseFault(error: unknown, url: string): string | undefined {
  // For a host with several addresses, only the inner errors say why; a wrapper says it as its cause.
  const first = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return undefined
  const cure = cureOf(first, placeOf(url))
  if (cure !== undefined) return `DATABASE_URL: ${cure}`
  return first.cause === undefined ? undefined : databaseFault(first.cause, url)
}

function cureOf(error: Error, place: Place): string | undefined {
  const code = isSocketAbsent(error) ? 'ECONNREFUSED' : errorCodeOf(error)
  if (/does not support SSL/i.test(error.message))
    return `${place.server} has no TLS; switch TLS on there, or take sslmode out of the address`
  if (code === '28000' && /no encryption|SSL off/i.test(error.message))
    return 'the server demands TLS; add ?sslmode=verify-full to the address'
  if (untrusted.test(code))
    return `the certificate of ${place.server} is not trusted (${code}); name the file of its authority in NODE_EXTRA_CA_CERTS`
  if (/timeout expired|timeout exceeded when trying to connect/i.test(error.message)) return silent(place)
  if (/connection terminated/i.test(error.message)) return cures['ECONNRESET']?.(place)
  return cures[code]?.(place)
}

function placeOf(text: string): Place {
  const url = new URL(text)
  // The folder of a socket file, or another host, stands in the query.
  const host = url.searchParams.get('host') ?? url.hostname
  return {
    server: host.startsWith('/') ? host : `${host}:${url.port || 5432}`,
    host,
    user: decodeURIComponent(url.username) || 'of this system',
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
  }
}
