import { getHealth, getOpenApi } from '#contract/service.ts'
import { describeApi } from '../http/openapi.ts'
import { type Router, serve } from '../http/serve.ts'
import { sharedFor } from '../http/shared-for.ts'
import { pingDatabase } from '../store/postgres/ping-database.ts'

/** Anybody may ask at any rate; the database is asked at most once a second. */
const keptMs = 1_000

export function serveService(router: Router): void {
  const ping = sharedFor(
    keptMs,
    () => performance.now(),
    () => pingDatabase(router.deps.database),
  )
  serve(router, getHealth, async () => {
    await ping()
    return { status: 'ok' as const }
  })

  serve(router, getOpenApi, ({ deps }) => describeApi(deps.config.publicUrl))
}
