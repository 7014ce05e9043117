import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { run } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'

/**
 * A part of the demo is filled in once, and with it what it made for others is kept: what people do with it afterwards is theirs. One that was cut off is begun again by the
 * next start, and takes what it finds of itself.
 * @returns what the part made, also when an earlier start did
 */
export type Part = <T>(name: string, fill: () => Promise<T>) => Promise<T>

export const partsOf =
  (house: House): Part =>
  async <T>(name: string, fill: () => Promise<T>): Promise<T> => {
    const mark = `demo.part.${name}`
    const [kept] = await house.reading(DEMO_ENTERPRISE, (tx) => run<{ value: { made?: T } }>(tx, KEPT, [mark]))
    if (kept) return kept.value.made as T
    const made = await fill()
    await house.writing(DEMO_ENTERPRISE, 'demo', (tx) => run(tx, KEEP, [mark, JSON.stringify({ made })]))
    return made
  }
const KEPT = { sql: 'select value from platform.setting where name = $1' }
const KEEP = { sql: 'insert into platform.setting (name, value) values ($1, $2::jsonb) on conflict (name) do nothing' }
