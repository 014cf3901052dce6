import type { Portal } from '../entities.ts'

/** Scopes cut at blanks, without repetition. */
export function readScopes(text: string | undefined): string[] {
  const scopes = (text ?? '').split(/[\s+]+/).filter((scope) => scope !== '')
  return [...new Set(scopes)]
}

/** True when the portal's plan has the feature behind a scope: custom objects need Enterprise. */
export function isAllowed(portal: Portal, scope: string): boolean {
  return portal.tier === 'enterprise' || !/^crm\.(objects|schemas)\.custom\./.test(scope)
}

/** What an install grants: the required scopes, `oauth`, and the optional ones the plan has. */
export function grantedScopes(
  portal: Portal,
  required: readonly string[],
  optional: readonly string[],
): string[] {
  const allowed = optional.filter((scope) => isAllowed(portal, scope))
  return [...new Set(['oauth', ...required, ...allowed])]
}
