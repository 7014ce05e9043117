import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { placesAmong } from '../../../system/server/api.ts'

const NoSuchPark = refusal(
  'identity.import-park',
  40267,
  '没有车场「{codes}」，或您不管理它；请核对编号',
  'There is no car park “{codes}”, or it is out of your scope: check the code',
  422,
)

/** A sheet gives no parks that are not there; parks that a row has held so far stay. @throws NoSuchPark */
export async function refuseUnknownParks(tx: Tx, parks: readonly string[] = [], held: readonly string[] = []): Promise<void> {
  const added = parks.filter((code) => !held.includes(code))
  if (added.length === 0) return
  const there = await placesAmong(tx, added)
  const unknown = added.filter((code) => !there.includes(code))
  if (unknown.length > 0) throw NoSuchPark({ codes: unknown.join(', ') })
}
