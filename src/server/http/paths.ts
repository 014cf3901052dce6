import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'

/** Collapses doubled slashes in the path, once and before any check reads it. */
export function collapsedPath(url: string): string {
  return new URL(url).pathname.replace(/\/{2,}/g, '/')
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^/]+')}$`)
}

const patterns = Object.values(api).map((endpoint: Endpoint) => ({
  method: endpoint.method,
  pattern: patternOf(endpoint.path),
}))

/** The methods that the contract has for a path; none for an unknown path. */
export function methodsOf(path: string): string[] {
  const methods = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
  return methods.has('GET') ? ['HEAD', ...methods] : [...methods]
}
