import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
        // zod and its setting stay in one file, so that no schema is made before the setting is there. All else of the
        // first screen is one file, and what screens share are few: many small files load slower than their bytes.
        codeSplitting: {
          groups: [
            { name: 'zod', test: /node_modules\/zod\/|zod-without-eval/, priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'shared', entriesAware: true, entriesAwareMergeThreshold: 20_000, minShareCount: 2 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
