import { openProcess } from '#server/process.ts'
import { startWorkerProcess } from '#server/worker.ts'

const stopWithinMs = 10_000

/** Works on runs until SIGTERM: stops claiming, saves where it is, and ends within ten seconds. */
export async function worker(): Promise<void> {
  const { deps, metrics, close } = openProcess({ name: 'worker', environment: process.env })
  const started = await startWorkerProcess(deps, metrics)
  process.send?.({ ready: true })

  let isStopping = false
  function stop(): void {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    started
      .stop()
      .then(close)
      .then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Started by `npm start`, the worker does not outlive it.
  process.on('disconnect', stop)
}
