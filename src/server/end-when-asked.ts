/**
 * Ends this process when it is asked to (SIGTERM, SIGINT) or its starter has died: `stop` first, for which it has
 * `withinMs`; where that is too short, it ends all the same, with code 1.
 */
export function endWhenAsked(withinMs: number, stop: () => Promise<unknown>): void {
  let isEnding = false
  const endBy = (exit: (code: number) => void) => () => {
    if (isEnding) return
    isEnding = true
    setTimeout(exit, withinMs, 1)
    void stop().then(() => exit(0))
  }
  process.on('SIGTERM', endBy(process.exit))
  process.on('SIGINT', endBy(process.exit))
  // Whoever sends a signal can send a harder one. Where the starter is gone nobody will, and `process.exit` may wait without
  // end for a thread that compiles and waits for it (https://github.com/nodejs/node/issues/54918).
  process.on('disconnect', endBy(kill))
}

function kill(): void {
  process.kill(process.pid, 'SIGKILL')
}
