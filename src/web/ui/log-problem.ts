/** For failures the user need not act on (a poll that will be repeated, a check with a fallback). */
export function logProblem(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is the only log there is here.
  console.warn(what, error)
}
