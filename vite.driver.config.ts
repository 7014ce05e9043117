import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compressed } from './vite.compressed.ts'

/** The page behind a printed code, a driver's own, the one on which a customer rates an order, and the one behind a device's code. They share nothing with the console: a driver on a weak signal loads ten kilobytes. */
const page = (name: string) => fileURLToPath(new URL(`apps/driver/${name}.html`, import.meta.url))
export default defineConfig({
  root: fileURLToPath(new URL('apps/driver', import.meta.url)),
  base: '/q/',
  plugins: [compressed()],
  build: {
    outDir: fileURLToPath(new URL('dist/driver', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: { input: [page('index'), page('mine'), page('rate'), page('repair')] },
  },
})
