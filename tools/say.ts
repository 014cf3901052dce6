const started = performance.now()

/** One line of what is being done, with the seconds since the start. */
export function say(line: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}\n`)
}
