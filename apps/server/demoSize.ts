import { PARKS, SMALL_PARKS } from '../../city/plan.ts'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import type { Config } from '../../platform/server/start/config.ts'
import { run, type Tx } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'

type Size = Config['demo']
const SIZE = 'demo.size'

/**
 * A database is filled in one size, that of its first start, and one without a demo is never filled with one: a start that is asked for another says so in one sentence. A start
 * without a demo fills none anywhere, also where an earlier one has not come to its end.
 * @returns the size to fill
 */
export async function sizeOf(house: House, say: (line: string) => void): Promise<Size> {
  const wanted = house.config.demo
  const kept = await house.writing(DEMO_ENTERPRISE, 'demo', async (tx) => {
    const [known] = await run<{ value: Size }>(tx, KEPT, [SIZE])
    if (known) return known.value
    const begun = await begunAs(tx, wanted)
    await run(tx, KEEP, [SIZE, JSON.stringify(begun)])
    return begun
  })
  if (kept === wanted) return kept
  if (wanted === 'none') {
    say(
      `This data was begun with DEMO=${kept}; with DEMO=none nothing more of the demo is filled in or simulated. 此数据以 DEMO=${kept} 建立；DEMO=none 时不再填充和模拟演示数据。`,
    )
    return wanted
  }
  say(
    `This data was begun with DEMO=${kept} and stays so; for DEMO=${wanted} choose another DATA_DIR (or DATABASE_URL). 此数据以 DEMO=${kept} 建立，不再改变；需要 DEMO=${wanted} 时请另选 DATA_DIR（或 DATABASE_URL）。`,
  )
  return kept
}
const KEEP = { sql: 'insert into platform.setting (name, value) values ($1, $2::jsonb) on conflict (name) do nothing' }
const KEPT = { sql: 'select value from platform.setting where name = $1' }

/** As what data was begun that is older than this setting: it tells by its people and its parks. What has neither begins now. */
async function begunAs(tx: Tx, wanted: Size): Promise<Size> {
  const [there] = await run<{ people: boolean; demo: boolean; parks: string[] }>(tx, { sql: THERE }, [MARKS])
  const { people, demo, parks } = there!
  if (!people) return wanted
  if (!demo) return 'none'
  const [lastOfSmall, firstOfCity] = MARKS
  if (parks.includes(firstOfCity)) return 'city'
  return parks.includes(lastOfSmall) || wanted === 'none' ? 'small' : wanted
}
const MARKS = [PARKS[SMALL_PARKS - 1]!.parkCode, PARKS[SMALL_PARKS]!.parkCode] as const
const THERE = `select exists (select from identity.person) as people, exists (select from identity.person where demo) as demo,
  array(select park_code from parking.park where park_code = any ($1)) as parks`
