import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** From quality 4, G9. */
const GROWTH_MAX_MB = 200
/** Of the others, while it lasts: a busy machine is slower than one that is attacked alone. */
const QUICK_MS = 1_000
const LOOK_MS = 100

export interface Attacked<T> {
  result: T
  /** At its highest, above what it was before. */
  grownMb: number
  medianMs: number
  wrong: string[]
}

/** Measures an attack's effect on a server process and on everybody else: `other` is one call of somebody who does nothing wrong. */
export async function underAttack<T>(pid: number, other: () => Promise<unknown>, attack: () => Promise<T>): Promise<Attacked<T>> {
  for (let i = 0; i < 5; i++) await other()
  const before = forgetPeak(pid)
  const waits: number[] = []
  let over = false
  const done = attack().finally(() => (over = true))
  while (!over || waits.length < 5) {
    const begun = performance.now()
    await other()
    waits.push(performance.now() - begun)
    await pause(LOOK_MS)
  }
  const result = await done
  const grownMb = peakOf(pid) - before
  const medianMs = Math.round(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]!)
  return {
    result,
    grownMb,
    medianMs,
    wrong: [...(grownMb > GROWTH_MAX_MB ? [`memory grew by ${grownMb} MB`] : []), ...(medianMs > QUICK_MS ? [`others waited ${medianMs} ms`] : [])],
  }
}

const statusOf = (pid: number, field: string) =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
const peakOf = (pid: number) => statusOf(pid, 'VmHWM')
/** The kernel counts the peak anew. @returns what it is now, in MB */
function forgetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return statusOf(pid, 'VmRSS')
}
