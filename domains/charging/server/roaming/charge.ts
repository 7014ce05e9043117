import type { CodeOf, Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { columnsIn } from '../../../../platform/contract/names.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver } from '../../../../platform/server/page.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { setRow } from '../../../../platform/server/row.ts'
import { PARK_OF_ALL } from '../../contract/units.ts'
import { Roaming, roamingCan, RoamingRow, roamingSearch } from '../../contract/roaming.ts'
import { leastFenFor, momentOf } from '../../contract/roamingBill.ts'
import { ChargeStatus, StopReason } from '../../contract/session.ts'
import { OPEN as OPEN_STATES, Owes } from '../charge.ts'
import { LEAST_FEN, PurseRefused, TooLittle } from '../hold.ts'
import type { TheirPrice, TheirProgress } from '../partnerWire.ts'
import { purse, purseMoved } from '../questions.ts'
import { chargeTopic } from '../said.ts'
import { type GunOfPartner, gunOfPartner } from './guns.ts'
import '../tables.ts'
import { Why } from '../../contract/why.ts'
import { isSaid } from '../../../../platform/contract/said.ts'

export type RoamingCharge = Of<typeof RoamingRow>
export const roamings = listOver(Roaming, 'charging.roamingShown', roamingSearch, { sums: ['energyWh', 'costFen', 'capturedFen'] })
const rows = listOver(RoamingRow, 'charging.roaming', roamingSearch)
const COLUMNS = columnsIn(RoamingRow)

const NoGun = refusal(
  'charging.roaming-gun',
  41344,
  '该充电枪不存在或未向我方用户开放；请选择其他充电枪',
  'This connector does not exist or is not open to our drivers: choose another connector',
  404,
)
const Taken = refusal(
  'charging.roaming-taken',
  41345,
  '该充电枪已有进行中的充电，请换一个充电枪',
  'A session is already in progress at this connector: choose another connector',
)

export interface RoamingWish {
  platformId: string
  connectorId: string
  ownerId: string
  plateNo?: string | null
  plateColor?: PlateColorCode | null
  /** As much as may be set aside of the stored value. */
  holdFen: number
  prices: readonly TheirPrice[]
  at: Instant
}
/** A charge that the partner has not been asked for yet, with its money set aside. @throws NoGun, Taken, Owes, PurseRefused, TooLittle */
export async function openRoaming(
  tx: Tx,
  { platformId, connectorId, ownerId, plateNo = null, plateColor = null, holdFen, prices, at }: RoamingWish,
): Promise<RoamingCharge> {
  const gun = await openGun(tx, platformId, connectorId)
  await refuseOwing(tx, ownerId)
  const { payer, fen } = await mayFreeze(tx, ownerId, holdFen, at)
  const [made] = await run<RoamingCharge>(tx, { sql: OPEN }, [
    ...[platformId, gun.stationId, gun.stationName, connectorId, gun.power, ownerId, payer, plateNo, plateColor, fen, JSON.stringify(prices), at],
  ])
  if (!made) throw Taken()
  if (!(await move(tx, made, 'freeze', fen, at))) throw TooLittle({ least: (LEAST_FEN / 100).toFixed(2) })
  return made
}
/** @throws NoGun where the partner has none of this number, or is not open to our drivers now */
export async function openGun(tx: Tx, platformId: string, connectorId: string): Promise<GunOfPartner> {
  const gun = await gunOfPartner(tx, platformId, connectorId)
  if (!gun) throw NoGun()
  return gun
}
/** Our nine characters and eighteen digits of the order's number. */
const OPEN = `insert into charging.roaming (order_no, start_charge_seq, platform_id, station_id, station_name, connector_id, power_kw, owner_id, payer, plate_no, plate_color, hold_fen, prices, created_at, updated_at)
  select n, own.operator_id || right(regexp_replace(n, '\\D', '', 'g'), 18), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12
  from platform.business_no('KP') n join charging.platform own on own.enterprise_id = scope_enterprise() and own.built_in
  on conflict (enterprise_id, platform_id, connector_id) where status in (${OPEN_STATES}) do nothing returning ${COLUMNS}`

/** Who owes for a charge at a partner's begins none. */
async function refuseOwing(tx: Tx, ownerId: string): Promise<void> {
  const [owed] = await run<{ fen: number }>(tx, { sql: OWED }, [ownerId])
  if (owed!.fen > 0) throw Owes({ owed: (owed!.fen / 100).toFixed(2) })
}
const OWED = `select coalesce(sum(o.arrears_fen), 0)::bigint as fen from charging.roaming r join settlement.order o on o.enterprise_id = r.enterprise_id and o.credited_to = r.order_no
  where r.enterprise_id = scope_enterprise() and r.owner_id = $1`

async function mayFreeze(tx: Tx, ownerId: string, mostFen: number, at: Instant): Promise<{ payer: string; fen: number }> {
  const [found] = await purse.ask(tx, { ownerId, at })
  if (found?.answer.refused) throw PurseRefused({ ...found.answer.refused })
  const fen = Math.min(found?.answer.availableFen ?? 0, mostFen)
  if (!found || fen < LEAST_FEN) throw TooLittle({ least: (LEAST_FEN / 100).toFixed(2) })
  return { payer: found.answer.payer, fen }
}
/** Its order's number is its hold's. */
export const move = async (
  tx: Tx,
  { ownerId, orderNo }: RoamingCharge,
  what: 'freeze' | 'spend' | 'free',
  amountFen: number,
  at: Instant,
): Promise<boolean> =>
  (await purseMoved.ask(tx, { move: what, ownerId, holdNo: orderNo, orderNo, parkCode: PARK_OF_ALL, amountFen, at })).some(({ answer }) => answer)

/** Held until the transaction is over, by our number of it. */
export async function lockRoaming(tx: Tx, id: string): Promise<RoamingCharge> {
  const sql = `select ${COLUMNS} from charging.roaming where enterprise_id = scope_enterprise() and id = $1 for update`
  const [found] = await run<RoamingCharge>(tx, { sql }, [id])
  if (!found) throw NotFound()
  return found
}
/** By its number between the platforms; another partner's is none. */
export async function roamingBySeq(tx: Tx, platformId: string, startChargeSeq: string): Promise<RoamingCharge | undefined> {
  const sql = `select ${COLUMNS} from charging.roaming where enterprise_id = scope_enterprise() and start_charge_seq = $1 and platform_id = $2 for update`
  return (await run<RoamingCharge>(tx, { sql }, [startChargeSeq, platformId]))[0]
}
export async function roamingShown(tx: Tx, id: string): Promise<Of<typeof Roaming>> {
  const found = await find(tx, roamings, id)
  if (!found) throw NotFound()
  return found
}

type Changes = Partial<RoamingCharge> & { askedAt?: Instant | null }
export async function change(tx: Tx, charge: RoamingCharge, changes: Changes, at: Instant): Promise<RoamingCharge> {
  const made = await setRow(tx, rows, charge, changes, at)
  await tell(tx, chargeTopic, { ids: [charge.id] })
  return made
}
export const canMove = ({ status }: RoamingCharge, verb: keyof typeof roamingCan): boolean => target(status, verb) !== undefined
const target = (status: number, verb: keyof typeof roamingCan): CodeOf<typeof ChargeStatus> | undefined =>
  roamingCan[verb](status as CodeOf<typeof ChargeStatus>)
export async function moveRoaming(
  tx: Tx,
  charge: RoamingCharge,
  verb: keyof typeof roamingCan,
  changes: Changes,
  at: Instant,
): Promise<RoamingCharge> {
  const status = target(charge.status, verb)
  if (status === undefined) throw IllegalMove({ status: charge.status })
  return change(tx, charge, { ...changes, status }, at)
}

/** It did not begin: nothing of the driver's money is kept. */
export const fail = async (tx: Tx, charge: RoamingCharge, why: string, at: Instant): Promise<RoamingCharge> =>
  moveRoaming(tx, charge, 'fail', { ...(await freed(tx, charge, at)), failReason: isSaid(why) ? why : why.slice(0, WHY_MAX) }, at)
const WHY_MAX = 200
/** What is still set aside is free again: what that changes of the charge. */
export async function freed(tx: Tx, charge: RoamingCharge, at: Instant): Promise<Changes> {
  if (!charge.held) return {}
  const left = charge.holdFen - charge.capturedFen - charge.releasedFen
  if (left > 0) await move(tx, charge, 'free', left, at)
  return { held: false, releasedFen: (charge.releasedFen + left) as Fen }
}

/** It charges. One that we had given up has its money set aside again; where there is none, it is to be stopped. @returns whether it has to be */
export async function begin(tx: Tx, charge: RoamingCharge, toldTime: Instant | null, at: Instant): Promise<{ charge: RoamingCharge; stop: boolean }> {
  const startTime = charge.startTime ?? momentOf(toldTime, charge, at) ?? at
  if (!canMove(charge, 'begin'))
    return { charge: charge.startTime ? charge : await change(tx, charge, { startTime }, at), stop: charge.status === ChargeStatus.stopping }
  const begun = { startTime, saidAt: at }
  if (charge.status !== ChargeStatus.failed) return { charge: await moveRoaming(tx, charge, 'begin', begun, at), stop: false }
  await leaveGun(tx, charge, at)
  const [found] = await purse.ask(tx, { ownerId: charge.ownerId, at })
  const enough =
    found && !found.answer.refused && found.answer.availableFen >= charge.holdFen && (await move(tx, charge, 'freeze', charge.holdFen, at))
  const again = enough ? { held: true, releasedFen: 0 as Fen, failReason: null } : {}
  const charging = await moveRoaming(tx, charge, 'begin', { ...begun, ...again }, at)
  if (enough) return { charge: charging, stop: false }
  return { charge: await moveRoaming(tx, charging, 'stop', { stopReason: StopReason.partner, askedAt: at }, at), stop: true }
}

/** One car charges at a gun: another charge of ours there is over, or never began. */
async function leaveGun(tx: Tx, { platformId, connectorId }: RoamingCharge, at: Instant): Promise<void> {
  const [other] = await run<RoamingCharge>(tx, { sql: AT_GUN }, [platformId, connectorId])
  if (!other) return
  if (other.startTime === null && canMove(other, 'fail')) await fail(tx, other, Why.gunHasAnother, at)
  else await moveRoaming(tx, other, 'end', { endTime: at }, at)
}
const AT_GUN = `select ${COLUMNS} from charging.roaming where enterprise_id = scope_enterprise() and platform_id = $1 and connector_id = $2 and status in (${OPEN_STATES}) for update`

/** What is set aside may not last until the next word of it: so long lies between two of them. */
const NEXT_MS = 60_000
/** How far it is. Older than what we know, or of one that has ended, it says nothing; a figure that was not said, or goes back, changes nothing. @returns whether its money is nearly used up */
export async function progressed(
  tx: Tx,
  charge: RoamingCharge,
  said: TheirProgress,
  at: Instant,
): Promise<{ charge: RoamingCharge; short: boolean }> {
  const energyWh = Math.max(charge.energyWh, said.energyWh ?? 0)
  const isNewer = energyWh > charge.energyWh || said.energyWh === charge.energyWh
  const [elecFen, serviceFen] = isNewer ? [said.elecFen ?? charge.elecFen, said.serviceFen ?? charge.serviceFen] : [charge.elecFen, charge.serviceFen]
  const hasBegun = said.stage === 'charging' || said.stage === 'stopping' || energyWh > 0
  const startTime = charge.startTime ?? (hasBegun ? (momentOf(said.startTime, charge, at) ?? at) : null)
  const made = await change(
    tx,
    charge,
    { energyWh, elecFen: elecFen as Fen, serviceFen: serviceFen as Fen, soc: said.soc ?? charge.soc, startTime, saidAt: at },
    at,
  )
  // Whoever tells no money, or too little, bills it all the same.
  const costFen = Math.max(elecFen + serviceFen, leastFenFor(energyWh, charge.prices))
  const spanMs = made.startTime ? Math.max(NEXT_MS, Date.parse(at) - Date.parse(made.startTime)) : NEXT_MS
  return { charge: made, short: made.status === ChargeStatus.charging && costFen + Math.ceil((costFen * NEXT_MS) / spanMs) >= made.holdFen }
}
