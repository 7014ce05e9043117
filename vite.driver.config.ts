import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compressed } from './vite.compressed.ts'

/** The page behind a printed code. It shares nothing with the console: a driver on a weak signal loads ten kilobytes. */
export default defineConfig({
  root: fileURLToPath(new URL('apps/driver', import.meta.url)),
  base: '/q/',
  plugins: [compressed()],
  build: { outDir: fileURLToPath(new URL('dist/driver', import.meta.url)), emptyOutDir: true },
})
