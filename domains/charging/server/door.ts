import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { impliedColor, parsePlate } from '../../../platform/contract/plate.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { undoing } from '../../../platform/server/call/keys.ts'
import { Refusal, refusal } from '../../../platform/server/refusal.ts'
import { phased, type PhasedContext, serve } from '../../../platform/server/serve.ts'
import { QrTarget } from '../../parking/contract/qrcode.ts'
import { type Place as Scanned, scanned, startPayment } from '../../settlement/server/api.ts'
import { door, type DoorCharge, PREPAY_FEN } from '../contract/door.ts'
import { HoldState } from '../contract/money.ts'
import { ChargeStatus, StartMode, StopReason } from '../contract/session.ts'
import { type Charge, COLUMNS, lockCharge, noteCharge, setCharge } from './charge.ts'
import { billsFor, gunFor, mustBeHeard, standing } from './doorShown.ts'
import { askStop, askStopAgain, cancelCharge } from './hear.ts'
import { holdOf, lockWithMoney, voidHold } from './hold.ts'
import { askStart } from './start.ts'
import { Said } from '../contract/said.ts'
import { Why } from '../contract/why.ts'

const BadCode = refusal(
  'charging.door-code',
  41350,
  '二维码无效，请重新扫描充电枪上的二维码',
  'This QR code is not valid: scan the code on the connector again',
  422,
)
const NotMine = refusal(
  'charging.door-key',
  41351,
  '没有这笔充电，或链接已失效，请重新扫描充电枪上的二维码',
  'There is no such charging session, or its link has expired: scan the code on the connector again',
  404,
)
const BadPlate = refusal('charging.door-plate', 41352, '车牌号不正确，请核对', 'This is not a valid plate number; please check it', 422)
const BadPrepay = refusal('charging.door-prepay', 41353, '请选择预付 ¥20、¥50 或 ¥100', 'Choose a prepayment of ¥20, ¥50 or ¥100', 422)
const ChannelAway = refusal(
  'charging.door-channel',
  41354,
  '支付渠道暂时不可用，没有扣款，请稍后重试',
  'The payment channel is not available and nothing was paid: try again later',
  503,
)
const PileAway = refusal(
  'charging.door-pile-away',
  41355,
  '充电桩暂时离线，收不到停止指令：请在桩上按停止键，电量以桩上电表为准',
  'The charger is offline and cannot receive the request. Press its stop button; you pay for the energy its meter shows',
)
const PlateBound = refusal(
  'charging.door-plate-bound',
  41356,
  '这笔充电已登记车牌 {plateNo}，不能更换',
  'This session is already linked to {plateNo}, which cannot be changed',
)
const TooLate = refusal(
  'charging.door-too-late',
  41357,
  '充电结束已超过 24 小时，不能再登记车牌',
  'The session ended more than 24 hours ago: a plate can no longer be linked',
)
/** So long after its end a charge may still say whose it was. */
const BIND_MS = 24 * 3_600_000
const BY = Said.driver

type Mine = { orderNo: string; key: string }
type Shown = Of<typeof DoorCharge>
export const calls = serve(door, {
  show: phased(async ({ input: { code }, at, read, house }) => {
    const { enterpriseId, targetCode } = await gunOf(read, code)
    return house.reading(enterpriseId, (tx) => gunFor(tx, targetCode, at))
  }),
  start: phased(async ({ input: { code, prepayFen, payMethod, plateNo: typed }, at, read, asSteps, house }) => {
    if (!PREPAY_FEN.some((one) => one === prepayFen)) throw BadPrepay()
    const plateNo = typed === undefined ? null : plateOf(typed)
    const { enterpriseId, targetCode: connectorId } = await gunOf(read, code)
    const write = asSteps((work) => house.writing(enterpriseId, door.start.id, work))
    const { orderNo, orderId, key } = await write(async (tx) => {
      const key = `${enterpriseId}.${randomBytes(KEY_BYTES).toString('base64url')}`
      await mustBeHeard(tx, connectorId)
      const plateColor = plateNo === null ? null : impliedColor(plateNo)
      const doorKey = keptOf(key).toString('hex')
      const { charge, hold } = await askStart(tx, {
        connectorId,
        startMode: StartMode.scan,
        pays: 'prepaid',
        prepayFen,
        plateNo,
        plateColor,
        doorKey,
        at,
      })
      return { orderNo: charge.orderNo, orderId: hold!.settlementId!, key }
    })
    try {
      const { payUrl, expiresAt } = await startPayment(write, { orderId, payMethod, merchant: enterpriseId, at })
      return { orderNo, key, payUrl, payBy: expiresAt }
    } catch (error) {
      await undoing(write)((tx) => callOff(tx, orderNo, Why.notOpened, at))
      throw error instanceof Refusal && error.status >= SERVER_ERRORS ? ChannelAway() : error
    }
  }),
  status: phased(({ input, at, house }) => behind(house, input, (tx, charge) => standing(tx, charge, at))),
  bill: phased(({ input, house }) => behind(house, input, billsFor)),
  stop: phased((context) => changing(context, door.stop.id, (tx, charge) => stop(tx, charge, context.at))),
  bindPlate: phased((context) => changing(context, door.bindPlate.id, (tx, charge) => bind(tx, charge, context.input.plateNo, context.at))),
})
const SERVER_ERRORS = 500
/** 192 bits: nobody guesses one. */
const KEY_BYTES = 24
const keptOf = (key: string): Buffer => hash('sha256', key, 'buffer')

type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
/** The gun that a code hangs at. @throws BadCode */
async function gunOf(read: Read, code: string): Promise<Scanned> {
  const [found] = await read((tx) => scanned.ask(tx, { code }))
  if (found?.answer.target !== QrTarget.connector) throw BadCode()
  return found.answer
}
/** @throws BadPlate */
function plateOf(typed: string): string {
  const plateNo = parsePlate(typed)
  if (!plateNo) throw BadPlate()
  return plateNo
}

/** Whose the charge is that a key opens, as its beginning says; a wrong key and a wrong number are told alike. @throws NotMine */
async function ownerOf(house: House, { orderNo, key }: Mine): Promise<number> {
  const enterprise = Number(OWNER.exec(key)?.[1] ?? Number.NaN)
  if (Number.isNaN(enterprise)) throw NotMine()
  const [found] = await house.reading(enterprise, (tx) => run<{ doorKey: string }>(tx, KEPT, [orderNo]))
  if (!found || !timingSafeEqual(Buffer.from(found.doorKey, 'hex'), keptOf(key))) throw NotMine()
  return enterprise
}
const OWNER = /^(\d{1,9})\.[\w-]+$/
const KEPT = { sql: 'select door_key from charging.charge where enterprise_id = scope_enterprise() and order_no = $1 and door_key is not null' }
async function behind<T>(house: House, mine: Mine, work: (tx: Tx, charge: Charge) => Promise<T>): Promise<T> {
  return house.reading(await ownerOf(house, mine), async (tx) => {
    const [charge] = await run<Charge>(
      tx,
      { sql: `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and order_no = $1` },
      [mine.orderNo],
    )
    return work(tx, charge!)
  })
}
async function changing(
  { input: mine, at, asSteps, house }: Pick<PhasedContext<Mine>, 'input' | 'at' | 'asSteps' | 'house'>,
  id: string,
  work: (tx: Tx, charge: Charge) => Promise<unknown>,
): Promise<Shown> {
  const enterprise = await ownerOf(house, mine)
  const write = asSteps((work) => house.writing(enterprise, id, work))
  return write(async (tx) => {
    await work(tx, await lockWithMoney(tx, mine.orderNo))
    return standing(tx, await lockCharge(tx, mine.orderNo), at)
  })
}
/** Ends a charge for its driver, or calls it off where it has not begun; what has ended stays as it is. @throws PileAway */
export async function stop(tx: Tx, charge: Charge, at: Instant): Promise<unknown> {
  const { status } = charge
  if (status === ChargeStatus.waiting || status === ChargeStatus.starting) return callOff(tx, charge.orderNo, Why.byDriver, at)
  if (status !== ChargeStatus.charging && status !== ChargeStatus.stopping) return undefined
  if (!(await isHeard(tx, charge.equipmentId))) throw PileAway()
  if (status === ChargeStatus.stopping) return askStopAgain(tx, charge, 'stopAsked', at, BY)
  return askStop(tx, charge, StopReason.user, at, BY)
}
const isHeard = async (tx: Tx, equipmentId: string): Promise<boolean> =>
  (
    await run(tx, { sql: 'select 1 from charging.pile_state where enterprise_id = scope_enterprise() and equipment_id = $1 and online' }, [
      equipmentId,
    ])
  ).length > 0

/** It has not begun: what was paid goes back, and what is not paid is asked no more. */
async function callOff(tx: Tx, orderNo: string, why: string, at: Instant): Promise<void> {
  const charge = await lockWithMoney(tx, orderNo)
  const hold = await holdOf(tx, orderNo)
  if (hold?.state === HoldState.waiting) await voidHold(tx, hold, why, at)
  await cancelCharge(tx, charge, why, at, BY)
}

async function bind(tx: Tx, charge: Charge, typed: string, at: Instant): Promise<unknown> {
  const plateNo = plateOf(typed)
  if (charge.plateNo === plateNo) return undefined
  if (charge.plateNo !== null) throw PlateBound({ plateNo: charge.plateNo })
  if (charge.status === ChargeStatus.failed || charge.status === ChargeStatus.cancelled) throw NotMine()
  if (charge.endTime !== null && msOf(at) - msOf(charge.endTime) > BIND_MS) throw TooLate()
  const named = await setCharge(tx, charge, { plateNo, plateColor: impliedColor(plateNo) } as Partial<Charge>, at)
  return noteCharge(tx, named, 'plateBound', at, plateNo, BY)
}
