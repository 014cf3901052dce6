import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The chart library and what only it needs. */
const chartPackages =
  /node_modules\/(?:@mantine\/charts|recharts|victory-vendor|d3-|@reduxjs|redux|react-redux|reselect|immer|es-toolkit|decimal\.js-light)/

export default defineConfig({
  root: fileURLToPath(new URL('./src/web', import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // An inlined asset would be a data: address, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of what is in the bundle ask that their text goes with it.
    license: { fileName: 'third-party-notices.txt' },
    rolldownOptions: {
      output: {
        // zod and its setting stay in one file, so that no schema is made before the setting is there. What the first screen
        // needs is one file, what screens share a second, what draws charts a third: many small files load slower
        // than their bytes, and merged ones import each other in circles, which run in another order each time.
        codeSplitting: {
          groups: [
            { name: 'zod', test: /node_modules\/zod\/|zod-without-eval/, priority: 4 },
            { name: 'first', tags: ['$initial'], priority: 3 },
            { name: 'shared', test: (file) => !chartPackages.test(file), minShareCount: 2, priority: 2 },
            { name: 'charts', test: chartPackages, priority: 1 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
