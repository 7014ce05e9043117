import { setImmediate } from 'node:timers/promises'

const BLOCK_BYTES = 64 * 1024
const NEW_LINE = 10
/** So many lines are read in one go, some milliseconds: then it is the others' turn. */
export const LINES_IN_ONE_GO = 500

/** The lines of a file, block by block, the empty ones left out. Neither UTF-8 nor GB18030 has the byte of a new line within a character. */
export async function* linesIn(bytes: Uint8Array, decoder = new TextDecoder()): AsyncGenerator<string[]> {
  for (let from = 0; from < bytes.length;) {
    const cut = bytes.indexOf(NEW_LINE, from + BLOCK_BYTES)
    const end = cut < 0 ? bytes.length : cut + 1
    yield decoder
      .decode(bytes.subarray(from, end))
      .split(/\r?\n/)
      .filter((line) => line !== '')
    from = end
    await setImmediate()
  }
}
