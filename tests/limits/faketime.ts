import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { faketimeLibrary } from '../../scripts/programs.ts'

/** The clock of a whole machine, for what is started with its `env`: program and database alike. The clock that only counts on is left alone, as a real jump leaves it. */
export interface Clock {
  env: Record<string, string>
  now(): number
  /** Milliseconds; whoever looks at the clock sees it within a second. */
  jump(by: number): void
}
export function aClock(directory: string, start: number): Clock {
  const file = path.join(directory, 'clock')
  let offset = start - Date.now()
  const set = () => writeFileSync(file, `${offset < 0 ? '-' : '+'}${Math.abs(offset) / 1000}\n`)
  set()
  return {
    env: {
      LD_PRELOAD: faketimeLibrary()!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    now: () => Date.now() + offset,
    jump(by) {
      offset += by
      set()
    },
  }
}
