import { hash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

let root: string | undefined
/** Said once at start: files lie under the data directory. */
export const keepFilesIn = (dataDir: string) => void (root = path.join(dataDir, 'files'))

/** The place of some bytes follows from their hash and from nothing that anybody typed. */
const placeOf = (sha256: string) => {
  if (!root || !/^[0-9a-f]{64}$/.test(sha256)) throw new Error('The file store was not started, or this is no hash.')
  return path.join(root, sha256.slice(0, 2), sha256)
}

/** Written under another name, flushed and moved: what has a name is complete. @returns the SHA-256 of the bytes */
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
