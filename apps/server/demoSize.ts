import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import type { Config } from '../../platform/server/config.ts'
import { run } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'

const SIZE = 'demo.size'

/**
 * A database is filled in one size, that of its first start, and one without a demo is never filled with one: a start that is asked for another says so in one sentence.
 * @returns the size that it has
 */
export async function sizeOf(house: House, say: (line: string) => void): Promise<Config['demo']> {
  const wanted = house.config.demo
  const kept = await house.writing(DEMO_ENTERPRISE, 'demo', async (tx) => {
    await run(tx, KEEP, [SIZE, JSON.stringify(wanted)])
    return (await run<{ value: Config['demo'] }>(tx, KEPT, [SIZE]))[0]!.value
  })
  if (kept !== wanted)
    say(
      `This data was begun with DEMO=${kept} and stays so; for DEMO=${wanted} choose another DATA_DIR (or DATABASE_URL). 此数据以 DEMO=${kept} 建立，不再改变；需要 DEMO=${wanted} 时请另选 DATA_DIR（或 DATABASE_URL）。`,
    )
  return kept
}
const KEEP = { sql: 'insert into platform.setting (name, value) values ($1, $2::jsonb) on conflict (name) do nothing' }
const KEPT = { sql: 'select value from platform.setting where name = $1' }
