import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

let root: string | undefined
/** Said once at start: files lie under the data directory. */
export const keepFilesIn = (dataDir: string) => void (root = path.join(dataDir, 'files'))

const HASH = /^[0-9a-f]{64}$/
/** The place of some bytes follows from their hash and from nothing that anybody typed. */
const placeOf = (sha256: string) => {
  if (!root || !HASH.test(sha256)) throw new Error('The file store was not started, or this is no hash.')
  return path.join(root, sha256.slice(0, 2), sha256)
}

/** Written under another name, flushed and moved: a file with its final name is complete. @returns the SHA-256 of the bytes */
export async function keepBytes(bytes: Uint8Array): Promise<string> {
  const sha256 = hash('sha256', bytes)
  const place = placeOf(sha256)
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
  const fresh = `${place}.${randomUUID()}`
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(fresh, place)
  return sha256
}

export const keptBytes = (sha256: string): Promise<Buffer> => readFile(placeOf(sha256))

/** Bytes are written before the row that names them: younger ones may still get one. */
const ORPHAN_MS = 86_400_000
/** Hashes asked about at once. */
const ASKED_AT_ONCE = 500

/**
 * Takes away what nothing refers to: bytes whose row was never written or is gone, and writes that were cut off. `referred` answers which of some hashes are still needed.
 * @returns how many files were removed
 */
export async function sweepStore(now: number, referred: (hashes: string[]) => Promise<readonly string[]>): Promise<number> {
  let removed = 0
  for (const folder of root && existsSync(root) ? await readdir(root) : []) {
    const inside = path.join(root!, folder)
    const old = (await Promise.all((await readdir(inside)).map(async (name) => ((await isOld(path.join(inside, name), now)) ? name : '')))).filter(
      Boolean,
    )
    for (let i = 0; i < old.length; i += ASKED_AT_ONCE) {
      const some = old.slice(i, i + ASKED_AT_ONCE)
      const needed = new Set(await referred(some.filter((name) => HASH.test(name))))
      for (const name of some) if (!needed.has(name) && (await removeUnlessFresh(path.join(inside, name), now))) removed++
    }
  }
  return removed
}
const isOld = async (place: string, now: number) => {
  const found = await stat(place).catch(() => undefined)
  return found !== undefined && found.isFile() && found.mtimeMs < now - ORPHAN_MS
}
/** Moved aside first, then looked at: somebody may have uploaded the very same bytes this moment. */
async function removeUnlessFresh(place: string, now: number): Promise<boolean> {
  const aside = `${place}.gone`
  await rename(place, aside)
  if (await isOld(aside, now)) {
    await rm(aside, { force: true })
    return true
  }
  await rename(aside, place)
  return false
}
