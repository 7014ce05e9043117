import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Lines of `what | why`; every one must have its why. `#` begins a remark. */
export function readList(name: string): Map<string, string> {
  const lines = readFileSync(path.join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(' | ')
      const [what, why] = [line.slice(0, cut).trim(), line.slice(cut + 3).trim()]
      if (cut < 0 || why.length < 10) throw new Error(`${name}: “${line}” does not say why.`)
      return [what, why]
    }),
  )
}
