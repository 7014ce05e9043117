import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the kernel's clock in a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Seconds of processor time that a process and everything below it has used, user and system. */
export function cpuSeconds(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((one) => one !== undefined)
  const family = new Set([root])
  for (let grown = true; grown;) {
    grown = false
    for (const { pid, parent } of all) if (family.has(parent) && !family.has(pid)) grown = family.add(pid) !== undefined
  }
  return all.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS
}

function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // From the third field on: state, parent, …; user and system time, then those of children that have ended.
    return { pid: Number(pid), parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) }
  } catch {
    return undefined // it ended meanwhile
  }
}
