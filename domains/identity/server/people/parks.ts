import type { Tx } from '../../../../platform/server/database.ts'
import { question } from '../../../../platform/server/question.ts'
import { refusal } from '../../../../platform/server/refusal.ts'

/** Asks which of some codes are those of parks that the caller sees. The domain that keeps the parks answers. */
export const parksThere = question<{ parkCodes: readonly string[] }, readonly string[]>('identity.parksThere')

const NoSuchPark = refusal(
  'identity.import-park',
  40267,
  '没有车场「{codes}」，或您不管理它；请核对编号',
  'There is no car park “{codes}”, or it is out of your scope: check the code',
  422,
)

/** A sheet gives no parks that are not there; parks that a row has held so far stay. @throws NoSuchPark */
export async function refuseUnknownParks(tx: Tx, parks: readonly string[] = [], held: readonly string[] = []): Promise<void> {
  const parkCodes = parks.filter((code) => !held.includes(code))
  if (parkCodes.length === 0) return
  const there = (await parksThere.ask(tx, { parkCodes })).flatMap(({ answer }) => answer)
  const unknown = parkCodes.filter((code) => !there.includes(code))
  if (unknown.length > 0) throw NoSuchPark({ codes: unknown.join(', ') })
}
