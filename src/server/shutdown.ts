/**
 * Ends this process when it is asked to (SIGTERM, SIGINT) or its starter has died: `stop` first, for which it has
 * `withinMs`; where that is too short, it ends all the same, with code 1.
 */
export function endWhenAsked(withinMs: number, stop: () => Promise<unknown>): void {
  let isEnding = false
  const end = () => {
    if (isEnding) return
    isEnding = true
    setTimeout(exit, withinMs, 1)
    void stop().then(() => exit(0))
  }
  for (const asked of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(asked, end)
}

/**
 * Whoever sends a signal can send a harder one. Where the starter is gone nobody will, and `process.exit` may wait without
 * end for a thread that compiles and waits for it (https://github.com/nodejs/node/issues/54918).
 */
function exit(code: number): void {
  const isStarterGone = process.connected === false
  if (isStarterGone) process.kill(process.pid, 'SIGKILL')
  else process.exit(code)
}
