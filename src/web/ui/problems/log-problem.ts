/** Logs failures that need no action of the user, such as a poll that will be repeated or a check with a fallback. */
export function logProblem(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is the only log there is here.
  console.warn(what, error)
}
