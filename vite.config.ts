import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The page lies under /dist/. In development the calls go to a server that runs beside it (`API`, its own address by default). */
export default defineConfig({
  root: fileURLToPath(new URL('apps/web', import.meta.url)),
  base: '/dist/',
  plugins: [react()],
  server: { proxy: { '/lbs': { target: process.env.API ?? 'http://localhost:8600', ws: true } } },
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    // antd's part is one file on purpose: cutting it further costs more requests than it saves.
    chunkSizeWarningLimit: 1500,
  },
})
