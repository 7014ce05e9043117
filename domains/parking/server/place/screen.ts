import type { Of } from '../../../../platform/contract/field.ts'
import { regionPrefix } from '../../../../platform/contract/region.ts'
import { dayOf, startOf } from '../../../../platform/contract/time.ts'
import { normalizePlate } from '../../../../platform/contract/plate.ts'
import { PAGE_ROWS, type Search } from '../../../../platform/contract/call.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { onlyFields } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { companyOf } from '../../../identity/server/api.ts'
import { SessionStatus } from '../../contract/stay.ts'
import { ChargeRecord, chargeSearch, type ParkFigures, ParkPoint, screen } from '../../contract/screen.ts'
import { areasOf, withOccupancy as withAreaOccupancy } from './area.ts'
import { hoursOf, lastMoves, movesSince } from '../report/figures.ts'
import { baysOf } from './gate.ts'
import { parkOf, withOccupancy } from './park.ts'
import '../tables.ts'

/** Calls of the parks' map and wall screens. */
export const calls = serve(screen, {
  overview: ({ tx, input }) => pointsOf(tx, input),
  flow: ({ tx, at }) => hoursOf(tx, at),
  lastMoves: ({ tx, at }) => lastMoves(tx, at),
  async detail({ tx, input: { parkCode, current = 1, limit = PAGE_ROWS }, at }) {
    const [park, [today], all] = await Promise.all([
      parkOf(tx, parkCode),
      run<Today>(tx, { sql: TODAY }, [parkCode, startOf(dayOf(at))]),
      areasOf(tx, parkCode),
    ])
    const areas = await withAreaOccupancy(tx, all.slice((current - 1) * limit, current * limit))
    return { ...(await withOccupancy(tx, [park]))[0]!, ...today!, areas, at }
  },
  bayList: ({ tx, input }) => baysOf(tx, input),
  chargeRecord: ({ tx, input }) => page(tx, charged, bySeen(input)),
  selectOrder: ({ tx, input }) => page(tx, withOrder, bySeen(input)),
  areaList: async ({ tx, input }) => withAreaOccupancy(tx, await areasOf(tx, input.parkCode)),
})
/** Every park of the scope as a point with what is free in it. */
export async function pointsOf(tx: Tx, input: Of<typeof screen.overview.input>): Promise<Of<typeof ParkPoint>[]> {
  let asked = tx.selectFrom('parking.park').selectAll().where('deleted', '=', false).orderBy('parkCode').limit(POINTS_MAX)
  if (input.parkCode !== undefined) asked = asked.where('parkCode', '=', input.parkCode)
  for (const kind of [input.pType, input.moduleType]) if (kind !== undefined) asked = asked.where('pType', '=', kind)
  if (input.subType !== undefined) asked = asked.where('subType', '=', input.subType)
  if (input.custName !== undefined && !(await isOfCompany(tx, input.custName))) return []
  const rows = (await asked.execute()).filter(({ regionCode }) => !input.regionCode || regionCode.startsWith(regionPrefix(input.regionCode)))
  const codes = rows.map(({ parkCode }) => parkCode)
  const [parks, moves] = await Promise.all([withOccupancy(tx, rows), movesSince(tx, codes, startOf(dayOf(begunAt(tx))))])
  return parks.map((park) => point({ ...park, ...(moves.get(park.parkCode) ?? NO_MOVES) }))
}
const NO_MOVES = { entriesToday: 0, exitsToday: 0 }
const POINTS_MAX = 2_000
/** The scope holds the parks of one company: whether that is the one of this name. */
const isOfCompany = async (tx: Tx, custName: string): Promise<boolean> => (await companyOf(tx)).includes(custName)
const point = onlyFields(ParkPoint)

type Today = Pick<Of<typeof ParkFigures>, 'entriesToday' | 'exitsToday' | 'receivableTodayFen' | 'paidTodayFen'>
const TODAY = `select (select count(*)::int from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and third_platform is null and seen_at >= $2 and entry_time is not null and status <> ${SessionStatus.void}) as entries_today,
    count(*)::int as exits_today, coalesce(sum(payable_fen), 0)::bigint as receivable_today_fen, coalesce(sum(paid_fen), 0)::bigint as paid_today_fen
  from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and third_platform is null and status = ${SessionStatus.left} and exit_time >= $2`

/** Ordered by when a stay was first seen, as all lists of stays. */
const seenSearch: Search<unknown> = { ...chargeSearch, sort: ['seenAt'], first: 'seenAt' }
const charged = listOver(ChargeRecord, 'parking.stay', seenSearch, {
  only: `third_platform is null and status <> ${SessionStatus.void} and receivable_fen > 0`,
  sums: ['receivableFen', 'discountFen', 'paidFen'],
})
const withOrder = listOver(ChargeRecord, 'parking.stay', seenSearch, {
  only: `third_platform is null and status <> ${SessionStatus.void} and order_id is not null`,
  sums: ['receivableFen', 'discountFen', 'paidFen'],
})
const bySeen = ({ orderByColumn: _, plateNo, ...input }: Of<typeof screen.chargeRecord.input>) => ({
  ...input,
  ...(plateNo !== undefined && { plateNo: normalizePlate(plateNo) }),
})
