import type { Of } from '../../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { onlyFields } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { Shift, shift, ShiftLine, type ShiftMove, shiftSearch, ShiftState } from '../../contract/shift.ts'
import { postOf } from '../events.ts'
import { shiftOf } from './shiftRow.ts'
import { lineOf, MOVES, ownDetail, ownTills, takingsOf } from './shiftCash.ts'
import { close, deposit, takeOver } from './shiftClosing.ts'
import { settle, verify } from './shiftSettling.ts'
import '../tables.ts'

const lines = listOver(ShiftLine, 'settlement.shiftLine', shiftSearch)

export const calls = serve(shift, {
  mine: ({ tx, actor }) => mineOf(tx, actor.userId),
  async open({ tx, input, actor, at }) {
    await shiftOf(tx, actor, at, { openingFloatFen: input.openingFloatFen, begunIn: await parkOf(tx, actor.userId) })
    return (await mineOf(tx, actor.userId))!
  },
  toTake: async ({ tx, actor }) =>
    (await ownTills(tx, actor.userId)).filter(({ state }) => state === ShiftState.toTakeOver).map(onlyFields(ShiftLine)),
  query: ({ tx, input }) => page(tx, lines, input),
  async detail({ tx, input: { id }, actor }) {
    const own = await ownDetail(tx, actor.userId, id)
    if (own) return own
    const line = await lineOf(tx, id)
    if (!line) throw NotFound()
    const [moves, takings] = await Promise.all([run<Of<typeof ShiftMove>>(tx, { sql: MOVES }, [id]), takingsOf(tx, id)])
    return { ...line, moves, takings }
  },
  deposit: ({ tx, input, actor, at }) => deposit(tx, input, actor, at),
  close: ({ tx, input, actor, at }) => close(tx, input, actor, at),
  takeOver: ({ tx, input, actor, at }) => takeOver(tx, input, actor, at),
  settle: ({ tx, input, actor, at }) => settle(tx, input, actor, at),
  verify: ({ tx, input, actor, at }) => verify(tx, input, actor, at),
})
async function mineOf(tx: Tx, personId: string): Promise<Of<typeof Shift> | null> {
  const kept = (await ownTills(tx, personId)).find(({ state }) => state === ShiftState.running)
  return kept ? onlyFields(Shift)(kept) : null
}
/** Where a till that has taken no money yet stands. */
async function parkOf(tx: Tx, personId: string): Promise<string | null> {
  const [post] = await postOf.ask(tx, { personId })
  const parks = parksOf(tx)
  return post?.answer.parkCode ?? (parks?.length === 1 ? parks[0]! : null)
}
