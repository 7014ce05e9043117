import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compressed } from './vite.compressed.ts'

/** The merchants' own page: light as the driver's, of which it has its parts. */
export default defineConfig({
  root: fileURLToPath(new URL('apps/merchant', import.meta.url)),
  base: '/m/',
  plugins: [compressed()],
  build: { outDir: fileURLToPath(new URL('dist/merchant', import.meta.url)), emptyOutDir: true },
})
