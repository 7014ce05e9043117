import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Below this a compressed answer saves nothing. */
const WORTH_BYTES = 1_000
const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)]
/** Compressed once, when built, on every core: the server hands out what lies there. */
export function compressed(): Plugin {
  let assets = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ root, build }) => void (assets = path.resolve(root, build.outDir, 'assets')),
    async closeBundle() {
      const names = existsSync(assets) ? readdirSync(assets).filter((one) => /\.(js|css|svg|json)$/.test(one)) : []
      await Promise.all(names.map((name) => compressBeside(path.join(assets, name))))
    },
  }
}

async function compressBeside(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < WORTH_BYTES) return
  const write = async (ending: string, made: Promise<Buffer>) => writeFile(`${file}.${ending}`, await made)
  await Promise.all([write('gz', gzipped(bytes, { level: 9 })), write('br', brotlied(bytes))])
}
