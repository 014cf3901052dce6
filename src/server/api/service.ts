import { getHealth, getOpenApi } from '#contract/service.ts'
import { describeApi } from '../http/openapi.ts'
import { type Router, serve } from '../http/serve.ts'
import { pingDatabase } from '../store/ping-database.ts'

export function serveService(router: Router): void {
  serve(router, getHealth, async ({ deps }) => {
    await pingDatabase(deps.database)
    return { status: 'ok' as const }
  })

  serve(router, getOpenApi, ({ deps }) => describeApi(deps.config.publicUrl))
}
