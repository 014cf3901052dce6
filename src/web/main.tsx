import './zod-without-eval.ts'
import './mantine-styles.ts'
import './shell/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { createQueryClient } from './query-client.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <App router={createBrowserRouter(routes)} queryClient={createQueryClient()} now={() => new Date()} />
  </StrictMode>,
)
