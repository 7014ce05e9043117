import type { Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { BadInput, NotFound, Refusal, refusal } from '../../../../platform/server/refusal.ts'
import type { Actor } from '../../../../platform/server/serve.ts'
import { PayMethod } from '../../../settlement/contract/payment.ts'
import { DeferKind, type pass, PassStatus, RENEWED_MOST, type Renewal } from '../../contract/pass.ts'
import { lockPass, type PassRow, passRow } from './pass.ts'
import { openRenewal, quoteOf } from './renew.ts'
import { takeCash } from './sale.ts'

const TooMany = refusal(
  'member.renew-too-many',
  41480,
  '所选客户共有 {count} 张月卡，一次最多续费 {most} 张，请少选一些',
  'These customers have {count:pass|passes}; {most} at most can be renewed at once: choose fewer',
  422,
)
const SumMoved = refusal(
  'member.renew-sum-moved',
  41481,
  '合计由 ¥{shown} 变为 ¥{now}，请重新核对',
  'The total has changed from ¥{shown} to ¥{now}: check it again',
)
const Clash = refusal(
  'member.renew-clash',
  41482,
  '{plateNo} 与月卡 {passNo} 有效期重叠；请核对有效期',
  '{plateNo} already has pass {passNo} in that period: check the dates',
)

type Row = Of<typeof Renewal>
type Wish = Of<typeof pass.renewMany.input>
interface Acting {
  periods: number
  acts: boolean
  cash: boolean
  actor: Actor
  at: Instant
}

/** Each by itself: one that cannot be renewed says why and does not hold up the rest. Where a sum was shown, it is that sum or nothing. */
export async function renewMany(tx: Tx, input: Wish, actor: Actor, at: Instant): Promise<Row[]> {
  const { periods, payableFen: shown, cash = false, dryRun = false } = input
  const rows: Row[] = []
  for (const id of await wanted(tx, input)) rows.push(await renewed(tx, id, { periods, acts: !dryRun, cash, actor, at }))
  const sumFen = rows.reduce((sum, { payableFen }) => sum + payableFen, 0)
  if (shown !== undefined && shown !== sumFen) throw SumMoved({ shown: yuan(shown), now: yuan(sumFen) })
  return rows
}
const yuan = (fen: number) => (fen / 100).toFixed(2)

/** In one order, so that two clerks with the same passes wait for one another. */
async function wanted(tx: Tx, { ids, memberIds }: Wish): Promise<string[]> {
  if ((ids === undefined) === (memberIds === undefined)) throw BadInput({ zh: '月卡和客户须填且只填一项', en: 'give either passes or customers' })
  if (ids !== undefined) return [...new Set<string>(ids)].sort()
  const customers = new Set<string>(memberIds)
  const [known] = await run<{ count: number }>(tx, CUSTOMERS, [[...customers]])
  if (known!.count !== customers.size) throw NotFound()
  const passes = await run<{ id: string }>(tx, THEIRS, [[...customers]])
  if (passes.length > RENEWED_MOST) throw TooMany({ count: passes.length, most: RENEWED_MOST })
  return passes.map(({ id }) => id)
}
const CUSTOMERS = { sql: 'select count(*)::int as count from member.customer where enterprise_id = scope_enterprise() and id = any ($1)' }
const THEIRS = {
  sql: `select id from member.held where enterprise_id = scope_enterprise() and member_id = any ($1)
    and status in (${PassStatus.notYet}, ${PassStatus.valid}, ${PassStatus.frozen}, ${PassStatus.expired}) order by id`,
}

async function renewed(tx: Tx, id: string, { periods, acts, cash, actor, at }: Acting): Promise<Row> {
  const seen = await passRow(tx, id)
  await run(tx, { sql: 'savepoint one_renewal' }, [])
  try {
    const held = await lockPass(tx, { id })
    const quote = await quoteOf(tx, held, { kind: DeferKind.renew, periods }, at)
    const [clash] = quote.conflicts
    if (clash) throw Clash({ plateNo: clash.plateNo, passNo: clash.passNo })
    const order = acts ? await openRenewal(tx, held, quote, { byName: actor.userName, at }) : undefined
    if (cash) await takeCash(tx, order, PayMethod.cash, actor, at)
    await run(tx, { sql: 'release savepoint one_renewal' }, [])
    return { ...rowOf(held), payableFen: quote.payableFen, newEnd: quote.newEnd, orderNo: order?.orderNo ?? null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await run(tx, { sql: 'rollback to savepoint one_renewal' }, [])
    return { ...rowOf(seen), refused: { zh: error.texts[0], en: error.texts[1] } }
  }
}
function rowOf({ id, passNo, holder, plates, status, endAt: oldEnd }: PassRow): Row {
  return { id, passNo, holder, plates, status, oldEnd, payableFen: 0 as Fen, newEnd: null, orderNo: null, refused: null }
}
