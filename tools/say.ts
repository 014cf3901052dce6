const started = performance.now()

/** Prints a line about the current step, with the seconds since the start. */
export function say(line: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}\n`)
}
