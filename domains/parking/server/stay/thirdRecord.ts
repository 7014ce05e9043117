import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Id, Of } from '../../../../platform/contract/field.ts'
import { normalizePlate, vehicleClassOf } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { CarKind, PassMode, PayState, SessionStatus, type StayId } from '../../contract/stay.ts'
import { thirdRecord } from '../../contract/thirdRecord.ts'
import { parkOf } from '../place/park.ts'
import '../tables.ts'

const Backwards = refusal('parking.third-backwards', 40877, '离场时间早于入场时间，请核对时间', 'The exit is before the entry: check the times', 422)
const PaidTooMuch = refusal(
  'parking.third-paid',
  40878,
  '实收大于应收，请核对金额',
  'The paid amount is more than the receivable: check the amounts',
  422,
)
const OtherStay = refusal(
  'parking.third-other',
  40879,
  '单号 {thirdNo} 已用于另一辆车或另一个车场，请核对单号',
  'Number {thirdNo} is already used for another car or car park: check the number',
)

type Pushed = Of<typeof thirdRecord.push.input>
export const calls = serve(thirdRecord, {
  async push({ tx, input }) {
    await parkOf(tx, input.parkCode)
    const plateNo = normalizePlate(input.plateNo)
    if (input.exitTime !== undefined && input.exitTime < input.entryTime) throw Backwards()
    if ((input.paidFen ?? 0) > (input.receivableFen ?? 0)) throw PaidTooMuch()
    const id = randomUUIDv7() as Id<StayId>
    const [{ stayId }] = (await run<{ stayId: Id<StayId> }>(tx, NUMBERED, [input.platform, input.thirdNo, input.parkCode, id])) as [
      { stayId: Id<StayId> },
    ]
    if (stayId === id) await insert(tx, id, { ...input, plateNo })
    else await complete(tx, stayId, { ...input, plateNo })
    return { id: stayId }
  },
})
/** Ours for their number: the one that is there, or this one. Two at once wait for each other. */
const NUMBERED = {
  sql: `insert into parking.third_record (platform, third_no, park_code, stay_id) values ($1, $2, $3, $4::uuid)
    on conflict (enterprise_id, platform, third_no) do update set platform = excluded.platform returning stay_id`,
}

const known = ({ exitTime, receivableFen = 0 as Fen, paidFen = 0 as Fen }: Pushed) => ({
  exitTime: exitTime ?? null,
  status: exitTime === undefined ? SessionStatus.present : SessionStatus.left,
  receivableFen,
  payableFen: receivableFen,
  paidFen,
  payState: receivableFen === 0 ? PayState.nothing : paidFen === receivableFen ? PayState.paid : PayState.toPay,
})
async function insert(tx: Tx, id: Id<StayId>, pushed: Pushed): Promise<void> {
  const { platform, parkCode, plateNo, plateColor = null, entryTime } = pushed
  const values = {
    ...{ id, parkCode, plateNo, plateColor, entryTime, thirdPlatform: platform, vehicleClass: vehicleClassOf(plateNo, plateColor) },
    ...{ carKindIn: CarKind.temporary, entryMode: PassMode.camera, discountFen: 0, ...known(pushed) },
  }
  await tx
    .insertInto('parking.stay')
    .values(values as never)
    .execute()
}
/** Adds facts that a platform pushed later; facts that it left out this time are kept. */
async function complete(tx: Tx, id: Id<StayId>, pushed: Pushed): Promise<void> {
  const [there] = await run<{ parkCode: string; plateNo: string; exitTime: Pushed['exitTime'] | null; receivableFen: Fen; paidFen: Fen }>(
    tx,
    { sql: 'select park_code, plate_no, exit_time, receivable_fen, paid_fen from parking.stay where id = $1 for no key update' },
    [id],
  )
  if (!there || there.parkCode !== pushed.parkCode || there.plateNo !== pushed.plateNo) throw OtherStay({ thirdNo: pushed.thirdNo })
  const exitTime = pushed.exitTime ?? there.exitTime ?? undefined
  const now = known({ receivableFen: there.receivableFen, paidFen: there.paidFen, ...pushed, ...(exitTime && { exitTime }) })
  await run(
    tx,
    {
      sql: `update parking.stay set exit_time = $2::timestamptz, status = $3::int, receivable_fen = $4::bigint, payable_fen = $5::bigint, paid_fen = $6::bigint, pay_state = $7::int, version = version + 1
        where id = $1`,
    },
    [id, now.exitTime, now.status, now.receivableFen, now.payableFen, now.paidFen, now.payState],
  )
}
