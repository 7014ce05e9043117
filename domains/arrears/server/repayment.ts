import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { colorsAgree, type PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { undoing, type Write } from '../../../platform/server/call/keys.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { cancelOrder, freshen, openRepayment, orderOf, type OrderRow, payCash, startPayment } from '../../settlement/server/api.ts'
import { ArrearsState } from '../contract/file.ts'
import {
  type Collected,
  partSearch,
  RepaidPart,
  repay,
  Repayment,
  type RepayQuote,
  RepayPlace,
  type RepaySummary,
  repaymentSearch,
} from '../contract/repayment.ts'
import { type File, fileOf, NoneChosen, owedBy } from './file.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

export const NotThis = refusal(
  'arrears.total-moved',
  41210,
  '欠费金额已变化，请刷新后再收取',
  'The amount owed has changed; refresh before you collect',
)
const OtherCar = refusal(
  'arrears.other-car',
  41211,
  '所选欠费不属于同一车辆（车牌或颜色不同）；请逐车选择',
  'The selected debts belong to different vehicles (plate or colour differs): choose those of one vehicle',
  422,
)
const StaffOnly = refusal('arrears.part-by-staff', 41212, '部分补缴须由收费员收取', 'Part of a debt can only be collected by a collector', 422)

const repayments = listOver(Repayment, 'arrears.repayment', repaymentSearch, { sums: ['paidFen', 'refundFen', 'records'] })
const parts = listOver(RepaidPart, 'arrears.repaymentPart', partSearch, { sums: ['allocatedFen', 'refundFen'] })
const partsOfLanes = listOver(RepaidPart, 'arrears.repaymentPart', partSearch, {
  sums: ['allocatedFen', 'refundFen'],
  only: `p_type = ${ParkType.offStreet}`,
})

export const calls = serve(repay, {
  list: ({ tx, input }) => page(tx, repayments, input),
  summary: ({ tx, input }) => summary(tx, input),
  export: exporting(repay.export, repayments),
  laneExport: exporting(repay.laneExport, partsOfLanes),
  laneList: ({ tx, input }) => page(tx, partsOfLanes, input),
  quote: ({ tx, input }) => quote(tx, input.plateNo, input.plateColor ?? null, input.parkCode ?? null),
  collect: phased(async ({ input, actor, at, write }) => {
    const { payMethod } = input
    if (payMethod !== PayMethod.cash) return payOnline(write, (tx) => openDebts(tx, input, at), { payMethod, merchant: actor.enterprise, at })
    return write(async (tx) => {
      const opened = await openDebts(tx, input, at)
      await payCash(tx, { orderId: opened.order.id, amountFen: opened.order.payableFen, actor, at })
      return { ...collectedOf(opened), payUrl: null, expiresAt: null }
    })
  }),
})

interface Opened {
  order: OrderRow
  records: number
}
const collectedOf = ({ order, records }: Opened) => ({ repayNo: order.orderNo, paidFen: order.payableFen, records })
/** The order is made, then its channel is asked for an address; where it does not answer the debts are free at once. */
export async function payOnline(
  write: Write,
  open: (tx: Tx) => Promise<Opened>,
  by: { payMethod: Asked['payMethod']; merchant: number; at: Instant },
): Promise<Of<typeof Collected>> {
  const opened = await write(open)
  const orderId = opened.order.id
  const { payUrl, expiresAt } = await startPayment(write, { ...by, orderId }).catch(async (error: Error) => {
    await undoing(write)((tx) => giveUp(tx, orderId, error, by.at))
    throw error
  })
  return { ...collectedOf(opened), payUrl, expiresAt }
}

/** No channel took it: the debts are free for another way of paying at once. @throws the error where it is being paid all the same: nothing is taken back */
async function giveUp(tx: Tx, orderId: string, error: Error, at: Instant): Promise<void> {
  const { status } = await orderOf(tx, orderId)
  if (status !== OrderStatus.unpaid) throw error
  await cancelOrder(tx, orderId, { reason: Said.notOpened, at })
}

/** States in which nothing of a debt can be paid any more. */
const PAST: readonly number[] = [ArrearsState.repaid, ArrearsState.waived, ArrearsState.revoked]
type Asked = Of<typeof repay.collect.input>
/** The order over the chosen debts and the present stay. @throws NoneChosen, NotThis, OtherCar, IllegalMove, NotFound, StaffOnly, Held */
export async function openDebts(tx: Tx, { ids, paidFen, place, currentOrderNo }: Omit<Asked, 'payMethod'>, at: Instant): Promise<Opened> {
  const chosen = await Promise.all([...new Set(ids)].map((id) => fileOf(tx, id)))
  const gone = chosen.find(({ state }) => PAST.includes(state))
  if (gone) throw IllegalMove({ state: gone.state })
  const debts = chosen.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1))
  const current = currentOrderNo ? await currentOf(tx, currentOrderNo, at) : undefined
  const first = debts[0] ?? current
  if (!first) throw NoneChosen()
  const cars = [...debts, ...(current ? [current] : [])]
  if (cars.some((one) => one.plateNo !== first.plateNo || cars.some((other) => !colorsAgree(one.plateColor, other.plateColor)))) throw OtherCar()
  const wanted = [
    ...(current ? [{ orderId: current.id, amountFen: current.payableFen }] : []),
    ...debts.map((one) => ({ orderId: one.orderId, amountFen: askedOf(one) })),
  ]
  const total = wanted.reduce((sum, { amountFen }) => sum + amountFen, 0)
  if (paidFen > total || (current && paidFen < current.payableFen)) throw NotThis({ owedFen: total })
  if (paidFen < total && place === RepayPlace.owner) throw StaffOnly()
  const parkCode = debts[0]?.parkCode ?? current!.parkCode
  const order = await openRepayment(tx, { parts: upTo(wanted, paidFen), place, plateNo: first.plateNo, plateColor: first.plateColor, parkCode, at })
  return { order, records: debts.length }
}
/** A debt that was written off is recovered whole. */
const askedOf = (file: File): Fen => (file.state === ArrearsState.writtenOff ? file.writtenOffFen : file.owedFen)

/** Each whole, in their order, until the money is used up; the last may get less. */
function upTo(wanted: readonly { orderId: string; amountFen: number }[], paidFen: number) {
  let left = paidFen
  return wanted.flatMap(({ orderId, amountFen }) => {
    const part = Math.min(amountFen, left)
    left -= part
    return part > 0 ? [{ orderId, amountFen: part }] : []
  })
}

type Current = Pick<OrderRow, 'id' | 'orderNo' | 'plateNo' | 'plateColor' | 'parkCode' | 'payableFen' | 'createdAt'>
const CURRENT = `select id, order_no, plate_no, plate_color, park_code, payable_fen, created_at from settlement.order
  where enterprise_id = scope_enterprise() and type = ${OrderType.temporaryParking} and status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and not owed and payable_fen > 0`
const OF_NUMBER = `${CURRENT} and order_no = $1`
/** The order of a stay that is paid now, with what it costs by now. */
async function currentOf(tx: Tx, orderNo: string, at: Instant): Promise<Current> {
  const [known] = await run<Current>(tx, { sql: OF_NUMBER }, [orderNo])
  if (!known) throw NotFound()
  await freshen(tx, known.id, at)
  const [found] = await run<Current>(tx, { sql: OF_NUMBER }, [orderNo])
  if (!found) throw NotThis()
  return found
}

async function quote(tx: Tx, plateNo: string, plateColor: PlateColorCode | null, parkCode: string | null): Promise<Of<typeof RepayQuote>> {
  const [records, present] = await Promise.all([
    owedBy(tx, plateNo, plateColor, parkCode),
    run<Current>(tx, { sql: `${CURRENT} and plate_no = $1 order by created_at desc limit 20` }, [plateNo]),
  ])
  const current = present.find((one) => colorsAgree(one.plateColor, plateColor))
  return {
    records,
    owedFen: records.reduce((sum, { owedFen }) => sum + owedFen, 0) as Fen,
    current: current ? { orderNo: current.orderNo, parkCode: current.parkCode, payableFen: current.payableFen, createdAt: current.createdAt } : null,
  }
}

type Filter = Of<typeof repay.summary.input>
/** By way of paying and by kind of park: each adds up to the ledger's receipts for debts. */
async function summary(tx: Tx, filter: Filter): Promise<Of<typeof RepaySummary>> {
  const sums = async (more: Partial<Filter>) => {
    const both = { ...filter, ...more }
    const [{ sums: of }, { total }] = await Promise.all([
      page(tx, parts, { ...both, queryMode: 'sum' }),
      page(tx, parts, { ...both, queryMode: 'total' }),
    ])
    return { paidFen: of!['allocatedFen'] as Fen, refundFen: of!['refundFen'] as Fen, count: total }
  }
  const only = <T>(asked: readonly T[] | undefined, one: T) => !asked || asked.includes(one)
  const methods = METHODS.filter((one) => only(filter.payMethod, one))
  const kinds = KINDS.filter((one) => only(filter.pType, one))
  const [all, byMethod, byKind] = await Promise.all([
    sums({}),
    Promise.all(methods.map(async (payMethod) => ({ payMethod, ...(await sums({ payMethod: [payMethod] })) }))),
    Promise.all(kinds.map(async (pType) => ({ pType, ...(await sums({ pType: [pType] })) }))),
  ])
  return {
    ...all,
    byMethod: byMethod.filter(({ count }) => count > 0).map(({ payMethod, paidFen, count }) => ({ payMethod, paidFen, count })),
    byKind: byKind.filter(({ count }) => count > 0).map(({ pType, paidFen, count }) => ({ pType, paidFen, count })),
  }
}
const METHODS = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 99] as const
const KINDS = [1, 2, 3, 4] as const
