import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  plugins: [react()],
  build: {
    target: 'es2023',
    // Nothing inline: the content policy allows scripts and styles of the service's own files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page needs, with all that it imports, in one file: sixty small ones compress worse and come later.
        // The palette and the toasts are loaded when they are wanted.
        codeSplitting: {
          groups: [
            { name: 'frame', test: /console\/src\/(entrance|session|language|frame)\/(?!palette|toasts|spanish)/ },
          ],
        },
      },
    },
  },
  server: {
    // `npx vite -c console/build/vite.config.ts` while `npm start` runs: pages from the sources, calls to the service.
    proxy: { '^/([a-z]+/)?v1/': 'http://127.0.0.1:8080' },
  },
})
