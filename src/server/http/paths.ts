import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'

/** The path of a request with doubled slashes collapsed, once and before anything looks at it. */
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

/** The methods that the contract knows for a path; none when it does not know the path. */
export function methodsOf(path: string): string[] {
  const methods = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
  return methods.has('GET') ? ['HEAD', ...methods] : [...methods]
}
