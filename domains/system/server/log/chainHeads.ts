import { appendFile, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'

let root: string | undefined
/** Said once at start: where the heads of the logs' chains lie, a file for each company, out of the database's reach. */
export const keepHeadsIn = (directory: string) => void (root = directory)

const fileOf = (enterprise: number) => path.join(root!, `${enterprise}.txt`)

/** By `log day`, the chain's hash of that day in hexadecimal. */
type Heads = ReadonlyMap<string, string>
export const headKey = (log: number, day: string) => `${log} ${day}`

/**
 * Heads noted in earlier nights. A person who may write to the database as its owner can change a line and make the whole chain anew, so that it fits itself; it does not fit
 * these.
 * Of two lines about one day the first counts: nothing that comes later makes a day that was noted another one.
 */
export async function notedHeads(enterprise: number): Promise<Heads> {
  const heads = new Map<string, string>()
  for (const line of (await textOf(fileOf(enterprise))).split('\n')) {
    const [log, day, head] = line.split(' ')
    if (head && !heads.has(headKey(Number(log), day!))) heads.set(headKey(Number(log), day!), head)
  }
  return heads
}
const textOf = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

export async function noteHead(enterprise: number, log: number, day: string, head: string): Promise<void> {
  await mkdir(root!, { recursive: true, mode: 0o700 })
  await appendFile(fileOf(enterprise), `${headKey(log, day)} ${head}\n`, { mode: 0o600 })
}
