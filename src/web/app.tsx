import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { usePrinting } from './components/frame/use-printing.ts'
import { EndedSession } from './shell/ended-session.tsx'
import { cssVariables, theme } from './theme.ts'
import { ClockContext } from './ui/clock.ts'
import { ToastHost } from './ui/toast.tsx'

type AppProps = {
  router: ReturnType<typeof createBrowserRouter>
  queryClient: QueryClient
  now: () => Date
  /** Reloads the page. */
  reload: () => void
}

/** Renders the whole app and receives everything from outside as an argument. */
export function App({ router, queryClient, now, reload }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // Paper is white, also when the screen is dark.
      {...(usePrinting() ? { forceColorScheme: 'light' } : {})}
    >
      <QueryClientProvider client={queryClient}>
        <ClockContext value={now}>
          <ToastHost>
            <RouterProvider router={router} />
            <EndedSession reload={reload} />
          </ToastHost>
        </ClockContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
