import './zod-without-eval.ts'
import './mantine-styles.ts'
import './shell/app.css'
import './shell/print.css'
import './shell/print-loading.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { keepEntryKeys } from './entry-key.ts'
import { startFirstCalls } from './first-calls.ts'
import { createQueryClient } from './query-client.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

/** Resolves once the code of the first screen has loaded or has failed to load. */
function untilInitialized({ state, subscribe }: ReturnType<typeof createBrowserRouter>): Promise<void> {
  if (state.initialized) return Promise.resolve()
  return new Promise((done) => {
    const unsubscribe = subscribe((next) => {
      if (!next.initialized) return
      unsubscribe()
      done()
    })
  })
}

const queryClient = createQueryClient()
const answered = startFirstCalls(queryClient, window.location.pathname)
// The router reads the key of the first entry at once, and of others after this listener.
keepEntryKeys()
const router = createBrowserRouter(routes)
const app = (
  <StrictMode>
    <App
      router={router}
      queryClient={queryClient}
      now={() => new Date()}
      reload={() => window.location.reload()}
    />
  </StrictMode>
)

// The spinner of index.html stays until the whole screen can be shown, because drawing it in parts takes longer.
void Promise.all([answered, untilInitialized(router)]).then(() => createRoot(root).render(app))
