import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { pinnedNode, root, say } from './installed.mjs'

/** Everything that can change what the browser gets. */
const SOURCES = [
  'apps/web',
  'apps/driver',
  'apps/merchant',
  'platform/web',
  'platform/contract',
  'domains',
  'vite.config.ts',
  'vite.driver.config.ts',
  'vite.merchant.config.ts',
  'vite.compressed.ts',
  'package-lock.json',
]
const NOT_IN_PAGE = /(^|\/)(server|README\.md)(\/|$)|\.test\.tsx?$/

const stamp = path.join(root, 'dist', '.sources')
/** Whether dist/ was made from other sources than those that are here. */
export const pageIsStale = () => !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOf(SOURCES)

/** Builds dist/ unless it was made from these very sources. It is built beside and moved into place, so that a running server never serves half a page. */
export function buildPage() {
  if (!pageIsStale()) return
  const wanted = hashOf(SOURCES)
  say('Building the page ... 正在构建页面')
  const fresh = path.join(root, `dist.${process.pid}`)
  const made =
    built('vite.config.ts', fresh) &&
    built('vite.driver.config.ts', path.join(fresh, 'driver')) &&
    built('vite.merchant.config.ts', path.join(fresh, 'merchant'))
  if (!made) {
    rmSync(fresh, { recursive: true, force: true })
    say('The page could not be built; the reason stands above. 页面构建失败，原因见上。')
    process.exit(1)
  }
  writeFileSync(path.join(fresh, '.sources'), wanted)
  const dist = path.join(root, 'dist')
  const old = `${fresh}.old`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}

function built(config, into) {
  const args = ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--outDir', into, '--emptyOutDir', '--logLevel', 'warn']
  return spawnSync(pinnedNode(), args, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0
}

function hashOf(places) {
  const hash = createHash('sha256')
  for (const place of places)
    for (const file of filesUnder(place))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

function filesUnder(place) {
  const full = path.join(root, place)
  if (!existsSync(full)) return []
  if (/\.\w+$/.test(place)) return [place]
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !NOT_IN_PAGE.test(file))
    .sort()
}

/** `node scripts/page.mjs`, for programs whose own process must not end when the page cannot be built. */
if (process.argv[1] === fileURLToPath(import.meta.url)) buildPage()
