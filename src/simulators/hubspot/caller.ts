import type { Context } from 'hono'
import { companyTypeId, contactTypeId, dealTypeId, type Portal } from './entities.ts'
import { missingScopes } from './errors.ts'

/** The app or service key of a bearer token, in its portal. */
type Caller = {
  readonly portal: Portal
  readonly scopes: ReadonlySet<string>
  /** Whether a service key was used instead of the app's token. */
  readonly isKey: boolean
}

/** The bindings of a Node server; absent if the simulator is called in process. */
export type CallerConnection = { readonly outgoing?: { destroy(): unknown } }

export type SimulatorEnv = { Bindings: CallerConnection; Variables: { caller: Caller } }
export type ApiContext = Context<SimulatorEnv>

/** Allows the call if the token has at least one of the scopes; otherwise 403 MISSING_SCOPES. */
export function requireScope(caller: Caller, ...anyOf: readonly string[]): void {
  if (!anyOf.some((scope) => caller.scopes.has(scope))) throw missingScopes(anyOf)
}

/** The scope for reading or writing records of a type. */
export function recordScope(typeId: string, verb: 'read' | 'write'): string {
  return `crm.objects.${scopeNoun(typeId)}.${verb}`
}

/** The scope for reading or writing properties and schemas of a type. */
export function schemaScope(typeId: string, verb: 'read' | 'write'): string {
  return `crm.schemas.${scopeNoun(typeId)}.${verb}`
}

function scopeNoun(typeId: string): string {
  const nouns: Record<string, string> = {
    [contactTypeId]: 'contacts',
    [companyTypeId]: 'companies',
    [dealTypeId]: 'deals',
  }
  return nouns[typeId] ?? 'custom'
}
