import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Below this a compressed answer saves nothing. */
const WORTH_BYTES = 1_000
/** Compressed once, when built: the server hands out what lies there. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    const assets = fileURLToPath(new URL('dist/assets', import.meta.url))
    for (const name of readdirSync(assets).filter((one) => /\.(js|css|svg|json)$/.test(one))) {
      const bytes = readFileSync(path.join(assets, name))
      if (bytes.length < WORTH_BYTES) continue
      writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes))
    }
  },
})

/** The page lies under /dist/. In development the calls go to a server that runs beside it (`API`, its own address by default). */
export default defineConfig({
  root: fileURLToPath(new URL('apps/web', import.meta.url)),
  base: '/dist/',
  plugins: [react(), compressed()],
  // The server puts a fresh nonce in this place with every page: styles are allowed by it alone.
  html: { cspNonce: '__NONCE__' },
  server: { proxy: { '/lbs': { target: process.env.API ?? 'http://localhost:8600', ws: true } } },
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    // antd's part is one file on purpose: cutting it further costs more requests than it saves.
    chunkSizeWarningLimit: 1500,
  },
})
