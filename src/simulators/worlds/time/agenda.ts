type Entry = {
  at: number
  order: number
  run: (at: number) => void
}

/** Scheduled actions: the earliest comes first; within one second they keep the order of their arrival. */
export class Agenda {
  private readonly heap: Entry[] = []
  private arrivals = 0

  add(at: number, run: (at: number) => void): void {
    const entry = { at, order: this.arrivals++, run }
    let hole = this.heap.push(entry) - 1
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      const above = this.heap[parent]
      if (above === undefined || !isBefore(entry, above)) break
      this.heap[hole] = above
      hole = parent
    }
    this.heap[hole] = entry
  }

  /** Takes the earliest entry if it is due at or before the instant. */
  takeDue(until: number): Entry | undefined {
    const first = this.heap[0]
    if (first === undefined || first.at > until) return undefined
    const last = this.heap.pop()
    if (last !== undefined && this.heap.length > 0) this.sink(last)
    return first
  }

  private sink(entry: Entry): void {
    let hole = 0
    for (;;) {
      const left = this.heap[2 * hole + 1]
      const right = this.heap[2 * hole + 2]
      const least = left !== undefined && right !== undefined && isBefore(right, left) ? 2 : 1
      const child = least === 2 ? right : left
      if (child === undefined || !isBefore(child, entry)) break
      this.heap[hole] = child
      hole = 2 * hole + least
    }
    this.heap[hole] = entry
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
