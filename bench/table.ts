import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Row {
  what: string
  value: string
  /** The promised figure, and whether this run kept it; none for figures that are only shown. */
  target?: string
  kept?: boolean
}
const README = path.join(import.meta.dirname, 'README.md')
const BEGIN = '<!-- figures: written by npm run bench -->'
const END = '<!-- end of figures -->'

/** The figures of this run take the place of the last ones in bench/README.md. */
export function keep(rows: readonly Row[], commit: string): void {
  const cores = os.cpus()
  const head = `Measured ${new Date().toISOString().slice(0, 10)} at ${commit} on ${cores.length} × ${cores[0]?.model ?? 'unknown'}, load ${os.loadavg()[0]!.toFixed(1)} at the end.`
  const lines = rows.map(
    ({ what, value, target, kept }) => `| ${what} | ${value} | ${target ?? ''} | ${kept === undefined ? '' : kept ? 'kept' : '**missed**'} |`,
  )
  const text = readFileSync(README, 'utf8')
  const [before, rest = ''] = text.split(BEGIN)
  const after = rest.split(END)[1] ?? ''
  writeFileSync(
    README,
    `${before}${BEGIN}\n${head}\n\n| what | measured | target | |\n| --- | ---: | ---: | --- |\n${lines.join('\n')}\n${END}${after}`,
  )
}
export const print = (rows: readonly Row[]) => {
  for (const { what, value, target, kept } of rows)
    console.log(`${kept === false ? 'MISSED ' : kept ? 'kept   ' : '       '}${what.padEnd(72)} ${value.padStart(16)}  ${target ?? ''}`)
}
export const share = (part: number, whole: number) => (part / whole).toFixed(2)
export const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
