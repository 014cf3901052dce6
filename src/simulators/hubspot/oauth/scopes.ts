import type { Portal } from '../entities.ts'

/** Scopes split at blanks, without repetition. */
export function readScopes(text: string | undefined): string[] {
  const scopes = (text ?? '').split(/[\s+]+/).filter((scope) => scope !== '')
  return [...new Set(scopes)]
}

/** Whether the portal's plan has the feature of a scope: custom objects need Enterprise. */
export function isAllowed(portal: Portal, scope: string): boolean {
  return portal.tier === 'enterprise' || !/^crm\.(objects|schemas)\.custom\./.test(scope)
}

/** The scopes that an install grants: the required ones, `oauth`, and the optional ones that the plan has. */
export function grantedScopes(
  portal: Portal,
  required: readonly string[],
  optional: readonly string[],
): string[] {
  const allowed = optional.filter((scope) => isAllowed(portal, scope))
  return [...new Set(['oauth', ...required, ...allowed])]
}
