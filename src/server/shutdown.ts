/**
 * Ends this process on SIGTERM or SIGINT, or when its parent process has died. `stop` runs first and has
 * `withinMs`; after that the process ends with code 1.
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
 * After a signal, the sender can send a stronger one. When the parent is dead nobody can, and `process.exit` may
 * wait forever for a compiling thread (https://github.com/nodejs/node/issues/54918).
 */
function exit(code: number): void {
  const isStarterGone = process.connected === false
  if (isStarterGone) process.kill(process.pid, 'SIGKILL')
  else process.exit(code)
}
