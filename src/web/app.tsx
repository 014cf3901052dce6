import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { cssVariables, theme } from './theme.ts'
import { ClockContext } from './ui/clock.ts'
import { ToastHost } from './ui/toast.tsx'

type AppProps = {
  router: ReturnType<typeof createBrowserRouter>
  queryClient: QueryClient
  now: () => Date
}

/** The whole app, with everything it gets from outside as an argument. */
export function App({ router, queryClient, now }: AppProps) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ClockContext value={now}>
          <ToastHost>
            <RouterProvider router={router} />
          </ToastHost>
        </ClockContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
