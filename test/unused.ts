/** Replaces a port that must not be used: every call of it fails with its name. */
export function unused(name: string): never {
  return new Proxy({}, { get: () => () => Promise.reject(new Error(`${name} was called`)) }) as never
}
