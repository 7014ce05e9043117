import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: path.join(import.meta.dirname, 'apps/web'),
  base: '/dist/',
  plugins: [react()],
  build: {
    outDir: path.join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    manifest: true,
    // Charts are the largest lazy part; a chunk beyond this has swallowed something that should load later.
    chunkSizeWarningLimit: 1_500,
  },
})
