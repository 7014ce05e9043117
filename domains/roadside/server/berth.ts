import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, removeRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing } from '../../../platform/server/sheets/importing.ts'
import { QrTarget } from '../../parking/contract/qrcode.ts'
import { PayState, SessionStatus } from '../../parking/contract/stay.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { berth, berthCan, BerthNow, berthSearch } from '../contract/berth.ts'
import { addBerth, berths, type BerthRow, refuseOverlap, setBerth } from './berthRow.ts'
import { berthSheet, forSheet } from './berthSheet.ts'
import { bindByPark, bindBySeat, bindings, boundTo, holdPlace } from './binding.ts'
import './tables.ts'

const InUse = refusal('roadside.berth-in-use', 41106, '泊位「{seatCode}」{zh}，不能删除', 'Berth “{seatCode}” cannot be removed: {en}')

const now = listOver(BerthNow, 'roadside.berthNow', berthSearch)

export const calls = serve(berth, {
  find: ({ tx, input }) => page(tx, now, input),
  findAll: ({ tx, input: { parkCode, seatCode, sectionCode } }) =>
    berthsNow(tx, { parkCode, ...(seatCode && { seatCode }), ...(sectionCode && { sectionCode }) }),
  add: ({ tx, input }) => addBerth(tx, input),
  async edit({ tx, input: { id, version, status, ...changes }, at }) {
    const found = await lockRow(tx, berths, { id, version })
    if (status !== undefined && status !== found.status && !(berthCan.enable(found.status) ?? berthCan.disable(found.status)))
      throw IllegalMove({ status: found.status })
    await refuseOverlap(tx, { ...found, ...changes })
    return setBerth(tx, found, { ...changes, ...(status && { status }) }, at)
  },
  async remove({ tx, input, at }) {
    if (input.ids.length === 0) throw BadInput({ zh: '请选择泊位', en: 'choose a berth' })
    const wanted = [...new Set(input.ids)]
    const places = await run<Pick<BerthRow, 'id' | 'parkCode' | 'seatCode'>>(tx, WANTED, [wanted])
    if (places.length < wanted.length) throw NotFound()
    for (const place of places) {
      // A car that comes just now is on the berth before it is looked at, or finds none.
      await holdPlace(tx, place)
      const found = await lockRow(tx, berths, { id: place.id })
      await refuseInUse(tx, found)
      await removeRow(tx, berths, found, at)
    }
  },
  qrCode: ({ tx, input }) => printOf(tx, input),
  async one({ tx, input }) {
    const found = await find(tx, now, input.id)
    if (!found) throw NotFound()
    const [bound, { qrUrl, versionNo }] = await Promise.all([boundTo(tx, found), printOf(tx, found)])
    return { ...found, bindings: bound.map(({ deviceNo, kind, fromAt }) => ({ deviceNo, kind, fromAt })), qrUrl, versionNo }
  },
  bind: (context) => bindBySeat(context),
  bindPost: (context) => bindBySeat(context),
  bindPark: (context) => bindByPark(context),
  bindParkPost: (context) => bindByPark(context),
  bindLog: ({ tx, input }) => page(tx, bindings, input),
  import: importing(berth.import, berthSheet),
  export: exporting(berth.export, async ({ tx, input }) => ({ records: await forSheet(tx, (await page(tx, now, input)).records) })),
})
const WANTED = {
  sql: 'select id, park_code, seat_code from roadside.berth where enterprise_id = scope_enterprise() and id = any ($1) and not deleted order by park_code, seat_code',
}
/** Returns the code printed on the ground; reading makes nothing. */
async function printOf(tx: Tx, { parkCode, seatCode }: Pick<BerthRow, 'parkCode' | 'seatCode'>) {
  const [found] = await run<{ code: string; versionNo: number; status: BerthRow['status'] }>(tx, PRINTED, [parkCode, seatCode])
  if (!found) throw NotFound({ parkCode, seatCode })
  const { code, versionNo, status } = found
  return { parkCode, seatCode, qrUrl: `/q/${code}`, versionNo, status }
}
const PRINTED = {
  sql: `select q.code, q.version_no, b.status from roadside.berth b
    join parking.qrcode_shown q on q.enterprise_id = b.enterprise_id and q.park_code = b.park_code and q.target = ${QrTarget.bay} and q.target_code = b.seat_code
    where b.enterprise_id = scope_enterprise() and b.park_code = $1 and b.seat_code = $2 and not b.deleted`,
}

/** More than any district has. */
const BERTHS_MOST = 5_000
/** The berths of one park with what stands on them, in the order of their codes. */
export async function berthsNow(
  tx: Tx,
  of: { parkCode: string; seatCode?: string; sectionCode?: string },
  rows: { current?: number; limit?: number } = { limit: BERTHS_MOST },
): Promise<Of<typeof BerthNow>[]> {
  const { records } = await page(tx, now, { ...of, queryMode: 'rows', ...rows })
  return records
}

/** The bays of parks, for `parking.bays`. */
export const baysOf = (
  tx: Tx,
  { parkCode, seatCode, from, atMost }: { parkCode?: string | undefined; seatCode?: string | undefined; from: number; atMost: number },
) =>
  run<{ parkCode: string; seatCode: string; areaCode: string | null }>(
    tx,
    {
      sql: `select park_code, seat_code, area_code from roadside.berth where enterprise_id = scope_enterprise() and not deleted
        and ($1::text is null or park_code = $1) and ($2::text is null or seat_code = $2) order by park_code, seat_code limit $3 offset $4`,
    },
    [parkCode ?? null, seatCode ?? null, atMost, from],
  )

/** One berth by its code. @throws NotFound */
export async function berthOf(tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }): Promise<Of<typeof BerthNow>> {
  const [found] = await berthsNow(tx, { parkCode, seatCode })
  if (!found) throw NotFound({ parkCode, seatCode })
  return found
}

async function refuseInUse(tx: Tx, { parkCode, seatCode }: BerthRow): Promise<void> {
  const [held] = await run<{ occupied: boolean; unpaid: boolean; bound: boolean }>(tx, HELD, [parkCode, seatCode])
  if (held!.occupied) throw InUse({ seatCode, zh: '有未结束的停车', en: 'it has a stay that has not ended' })
  if (held!.unpaid) throw InUse({ seatCode, zh: '有未支付的订单', en: 'it has an unpaid order' })
  if (held!.bound) throw InUse({ seatCode, zh: '绑有设备，请先解绑', en: 'a device is bound to it; unbind it first' })
}
const HELD = {
  sql: `select
      exists (select from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and status in (${SessionStatus.present}, ${SessionStatus.leaving}, ${SessionStatus.abnormal})) as occupied,
      exists (select from parking.stay s join settlement.order o on o.enterprise_id = s.enterprise_id and o.id = s.order_id
        where s.enterprise_id = scope_enterprise() and s.park_code = $1 and s.seat_code = $2 and s.pay_state = ${PayState.toPay} and o.status in (${OrderStatus.unpaid}, ${OrderStatus.paying})) as unpaid,
      exists (select from roadside.binding where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and to_at is null) as bound`,
}
