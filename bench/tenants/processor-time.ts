import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const ticksPerSecond = 100

/** Processor seconds of a process so far, from Linux's /proc, with those of its children that have ended. */
export function processorSeconds(pid: number): number {
  return ticksOf(pid) / ticksPerSecond
}

/** The same for PostgreSQL: its first process and all connections, open and closed. */
export function clusterSeconds(postmaster: number): number {
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => fieldsOf(pid)[1] === String(postmaster))
  return [postmaster, ...backends].reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond
}

function ticksOf(pid: number): number {
  return fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0)
}

/** The fields after the name, which may contain spaces: state, parent, … times at 11 to 14. */
function fieldsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  } catch {
    // The process has ended; its parent has its time.
    return []
  }
}
