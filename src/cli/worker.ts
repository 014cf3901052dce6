import { openProcess } from '#server/process.ts'
import { endWhenAsked } from '#server/shutdown.ts'
import { startWorkerProcess } from '#server/worker.ts'

const stopWithinMs = 10_000

/** Works on runs until SIGTERM; then stops claiming, saves its progress, and ends within ten seconds. */
export async function worker(): Promise<void> {
  const { deps, metrics, traces, close } = await openProcess({
    name: 'worker',
    environment: process.env,
    isNewerToldLater: true,
  })
  const started = await startWorkerProcess(deps, metrics, traces.inSpan)
  process.send?.({ ready: true })
  endWhenAsked(stopWithinMs, async () => {
    await started.stop()
    await close()
  })
}
