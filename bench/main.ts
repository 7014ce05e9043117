import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { startEmbedded } from '../platform/server/start/embedded.ts'
import { openLog } from '../platform/server/log.ts'
import { admission } from './admission.ts'
import { browser } from './browser.ts'
import { withChildren } from './child.ts'
import { couponPick } from './coupons.ts'
import { curve } from './curve.ts'
import { expiry } from './expiry.ts'
import { fee } from './fee.ts'
import { imports } from './imports.ts'
import { lane } from './lane.ts'
import { lists, STAYS } from './lists.ts'
import { ocpp } from './ocpp.ts'
import { piles } from './piles.ts'
import { rehearsal } from './rehearsal.ts'
import { rollup } from './rollup.ts'
import { isSmall, sizeOf } from './size.ts'
import { sizes } from './sizes.ts'
import { sheets } from './sheets.ts'
import { keep, print, type Row } from './table.ts'

/** `npm run bench [-- lists rollup fee coupons rehearsal lane admission ocpp curve sizes sheets imports browser piles expiry]`: measures, prints, and when everything but `piles` and `expiry` was measured keeps the table in bench/README.md. */
const PARTS = [
  'sizes',
  'fee',
  'coupons',
  'rehearsal',
  'lists',
  'rollup',
  'sheets',
  'imports',
  'browser',
  'lane',
  'admission',
  'ocpp',
  'curve',
] as const
/** They take ten minutes or longer, and are measured when they are asked for. */
const ALONE = ['piles', 'expiry'] as const
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const wanted = [...PARTS.filter((part) => asked.length === 0 || asked.includes(part)), ...ALONE.filter((part) => asked.includes(part))]
const PORT = sizeOf('port', 8690)
const MILLION = 1_000_000
const DATA_DIR = path.resolve(process.env['DATA_DIR'] ?? path.join(import.meta.dirname, '../.data'))
const SMALL = path.join(DATA_DIR, 'bench-small')
const FRESH: ReadonlySet<string> = new Set(['rehearsal', 'lane', 'admission', 'ocpp', 'curve', 'piles', 'expiry'])
/** Those whose server stands on the small demo. */
const DEMO: ReadonlySet<string> = new Set(['rehearsal', 'lists', 'rollup', 'sheets', 'imports', 'browser', 'curve', 'piles'])

async function measure(part: (typeof wanted)[number]): Promise<Row[]> {
  if (part === 'sizes') return sizes()
  if (part === 'fee') return fee()
  if (part === 'coupons') return couponPick()
  const dataDir = folderOf(part)
  // Cars of an earlier run would be inside still, and one that comes again is another job; so it is with charges.
  if (FRESH.has(part) && !isSmall) rmSync(dataDir, { recursive: true, force: true })
  const database = await startEmbedded(dataDir, openLog('warn'))
  try {
    const measuring = { rehearsal, lists, rollup, sheets, imports, browser, lane, admission, ocpp, curve, piles, expiry }[part]
    return await withChildren(() => measuring(database.url, dataDir, PORT))
  } finally {
    await database.stop()
  }
}
/** The lists' million stays serve the rollup and the sheets too; small, one demo is filled for all that look at one. */
function folderOf(part: string): string {
  if (isSmall) return path.join(SMALL, DEMO.has(part) ? 'demo' : part)
  return path.join(DATA_DIR, `bench-${FRESH.has(part) ? part : STAYS === MILLION ? 'lists' : `lists-${STAYS}`}`)
}

// The page loaded and measured is built from these sources; with `--small` it is the one that is there.
if (!isSmall && (wanted.includes('sizes') || wanted.includes('browser')))
  execFileSync(process.execPath, ['scripts/page.mjs'], { cwd: path.resolve(import.meta.dirname, '..'), stdio: 'inherit' })
const rows: Row[] = []
if (isSmall) rmSync(SMALL, { recursive: true, force: true })
for (const part of wanted) rows.push(...(await measure(part)))
print(rows)
// Of usual sizes only.
if (process.argv.length === 2) keep(rows, execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim())
process.exit(!isSmall && rows.some(({ kept }) => kept === false) ? 1 : 0)
