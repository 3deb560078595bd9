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
        codeSplitting: {
          // What every screen needs is one file: dozens of small ones are slower to fetch and compress worse.
          groups: [{ name: 'frame', test: /console\/src\/frame\/shell\.tsx$/, includeDependenciesRecursively: true }],
        },
      },
    },
  },
  server: {
    // `npx vite -c console/build/vite.config.ts` while `npm start` runs: pages from the sources, calls to the service.
    proxy: { '^/(identity|caredb|showboat|lachesis|integrator)/': 'http://127.0.0.1:8080' },
  },
})
