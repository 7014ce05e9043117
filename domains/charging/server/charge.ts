import { randomInt } from 'node:crypto'
import type { CodeOf, Fen, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { type List, listOver } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, Refusal, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { chargeCan, ChargeOrder, chargeSearch, ChargeStatus, OfferKind, type Prices, type StartMode } from '../contract/session.ts'
import { AdminStatus } from '../contract/pile.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { StationStatus } from '../contract/station.ts'
import type { Strategy } from '../contract/strategy.ts'
import { PeriodKind, UserKind } from '../contract/strategy.ts'
import { loadMoved } from './loadShare.ts'
import { groupsOf, ownerOf, whoIs } from './questions.ts'
import { type Charger, chargeMoved, chargeTopic, offersFor, repriced, startBlocked, startWanted } from './said.ts'
import type { ChargeInside } from './tables.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

export type Charge = Of<typeof ChargeOrder> & ChargeInside
/** It is over and its register cannot be: it counts as nothing, in sums as in figures, until a person has closed the charge. `of` names the charge. */
export const unbelieved = (of = '') => `(${of}status = ${ChargeStatus.abnormal} and ${of}end_time is not null)`
const believed = (column: string) => `case when not ${unbelieved()} then ${column} end`
export const charges = listOver(ChargeOrder, 'charging.charge', chargeSearch, {
  sums: ['energyWh', 'elecFen', 'serviceFen', 'occupyFen', 'discountFen', 'costFen'],
  sumOf: {
    ...{ energyWh: believed('energy_wh'), elecFen: believed('elec_fen'), serviceFen: believed('service_fen') },
    ...{ occupyFen: believed('occupy_fen'), discountFen: believed('discount_fen'), costFen: believed('cost_fen') },
  },
})
const INSIDE: (keyof ChargeInside)[] = [
  'claimed',
  'idTag',
  'token',
  'startNo',
  'doorKey',
  'acceptedAt',
  'startTold',
  'startRefused',
  'stopAskedAt',
  'endedAt',
  'finalDueAt',
  'saidAt',
  'flagged',
  'suspendedAt',
  'occupiedFrom',
  'occupiedTo',
  'prices',
  'running',
]
const whole: List<Charge, 'charging.charge'> = {
  ...(charges as object as List<Charge, 'charging.charge'>),
  columns: [...charges.columns, ...INSIDE],
  key: 'orderNo',
}
export const COLUMNS = whole.columns.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ')

/** A charge, held until the transaction ends. @throws NotFound */
export const lockCharge = (tx: Tx, orderNo: string): Promise<Charge> => lockRow(tx, whole, { id: orderNo })
export const setCharge = (tx: Tx, charge: Charge, changes: Partial<Charge>, at: Instant): Promise<Charge> => setRow(tx, whole, charge, changes, at)

type Move = keyof typeof chargeCan
interface Step {
  event: string
  at: Instant
  byName?: string
  note?: string | null
  changes?: Partial<Charge>
}
/** A charge that did not start, was called off or waits for a person says why: in its story, in the list and to its driver. */
const TELLS_WHY: ReadonlySet<Move> = new Set(['fail', 'cancel', 'lose'])
/** The one way in which a charge goes from state to state. @throws IllegalMove */
export async function moveCharge(
  tx: Tx,
  charge: Charge,
  move: Move,
  { event, at, byName = SYSTEM, note = null, changes = {} }: Step,
): Promise<Charge> {
  const status = chargeCan[move](charge.status)
  if (status === undefined) throw IllegalMove({ status: charge.status })
  const moved = await setCharge(tx, charge, { ...changes, ...(TELLS_WHY.has(move) && { failReason: note }), status }, at)
  await told(tx, moved, { fromStatus: charge.status, event, at, byName, note })
  return moved
}
async function told(
  tx: Tx,
  charge: Charge,
  { fromStatus, event, at, byName, note }: { fromStatus: number | null; event: string; at: Instant; byName: string; note: string | null },
) {
  const { orderNo, parkCode, status } = charge
  await run(
    tx,
    {
      sql: 'insert into charging.charge_move (order_no, park_code, from_status, to_status, event, at, by_name, note) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    },
    [orderNo, parkCode, fromStatus, status, event, at, byName, note],
  )
  await announce(tx, chargeMoved, {
    id: charge.id,
    orderNo,
    startChargeSeq: charge.startChargeSeq,
    connectorId: charge.connectorId,
    parkCode,
    platformId: charge.platformId,
    status,
    at,
  })
  if (fromStatus !== status && (DRAWS.has(status) || DRAWS.has(fromStatus ?? status))) await loadMoved(tx, { stationId: charge.stationId })
  await tell(tx, chargeTopic, { park: parkCode, ids: [charge.id] })
}
const DRAWS: ReadonlySet<number> = new Set([ChargeStatus.charging, ChargeStatus.stopping])
/** A line of the story that is no move. */
export const noteCharge = (tx: Tx, charge: Charge, event: string, at: Instant, note: string | null = null, byName = SYSTEM) =>
  told(tx, charge, { fromStatus: charge.status, event, at, byName, note })

export const NoGun = refusal('charging.no-gun', 41301, '没有这把充电枪，请核对编号', 'There is no such connector: check its id', 404)
const StationShut = refusal(
  'charging.station-shut',
  41302,
  '充电站未开放，暂不能启动充电；请到其他充电站',
  'The station is not open: charging cannot start there now: choose another station',
)
export const PileDisabled = refusal(
  'charging.pile-disabled',
  40041,
  '充电桩未启用，暂不能启动充电；请换一个充电枪',
  'The pile is not enabled: charging cannot start there now: choose another connector',
)
const GunAway = refusal('charging.gun-away', 41303, '充电枪离线或故障，请换一把', 'The connector is offline or faulty: use another one')
const GunTaken = refusal('charging.gun-taken', 41304, '充电枪已被占用，请换一把', 'The connector is taken: use another one')
const Blocked = refusal('charging.start-blocked', 41305, '暂不能启动：{zh}', 'Charging cannot start now: {en}')
export const NoPrice = refusal(
  'charging.no-price',
  41306,
  '充电站没有生效中的价格表，不能充电；请先发布，或等价格表生效',
  'The station has no price in force, so nothing can be charged: publish one first, or wait until it is in force',
)
export const Owes = refusal('charging.owes', 41307, '有未结清的充电欠费 ¥{owed}，请先补缴', 'Charging arrears of ¥{owed} are unpaid: pay them first')

export interface Wish {
  connectorId: string
  startMode: CodeOf<typeof StartMode>
  ownerId?: string | null
  cardNo?: string | null
  plateNo?: string | null
  plateColor?: PlateColorCode | null
  vin?: string | null
  idTag?: string | null
  platformId?: string | null
  partnerOperatorId?: string | null
  /** A partner's own number of the charge. */
  startChargeSeq?: string
  doorKey?: string | null
  /** It began already, while nobody could say no: it is kept also where there is no price. */
  begun?: boolean
  at: Instant
}
export interface Place {
  connectorId: string
  equipmentId: string
  stationId: string
  parkCode: string
  operatorId: string
  power: number
  adminStatus: number
  stationStatus: number
  /** The gun's own word. */
  status: number
  /** What it is to people. */
  shown: number
  orderNo: string | null
  prepayFen: number
}
const PLACE = {
  sql: `select g.connector_id, g.equipment_id, g.station_id, g.park_code, s.operator_id, g.power, e.admin_status, s.station_status, g.told as status, g.status as shown, g.order_no, s.prepay_fen
    from charging.gun g join charging.equipment e on e.enterprise_id = g.enterprise_id and e.equipment_id = g.equipment_id
      join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id where g.enterprise_id = scope_enterprise() and g.connector_id = $1`,
}
/** @throws NoGun */
export async function placeOf(tx: Tx, connectorId: string): Promise<Place> {
  const [place] = await run<Place>(tx, PLACE, [connectorId])
  if (!place) throw NoGun()
  return place
}

/** Whether somebody at a distance may start something at a gun now. @throws what keeps it from that */
export async function mayStart(tx: Tx, place: Place, idTag: string | null, at: Instant): Promise<void> {
  mustBeOpen(place)
  if (place.orderNo) throw GunTaken()
  if (place.shown === ConnectorStatus.offline || place.status === ConnectorStatus.faulty) throw GunAway()
  await mayBegin(tx, place, idTag, at)
}
/** Whether anything may begin at a gun now, also by whoever stands there. @throws what keeps it from that */
export async function mayBegin(tx: Tx, place: Place, idTag: string | null, at: Instant): Promise<void> {
  mustBeOpen(place)
  const { stationId, equipmentId, connectorId } = place
  const [blocked] = await startBlocked.ask(tx, { stationId, equipmentId, connectorId, idTag, at })
  if (blocked) throw Blocked({ ...blocked.answer })
}
function mustBeOpen({ stationStatus, adminStatus }: Place): void {
  if (stationStatus !== StationStatus.inUse) throw StationShut()
  if (adminStatus !== AdminStatus.enabled) throw PileDisabled()
}
/** What keeps it from that, where that is an answer and no error. */
export async function refusalOf(work: Promise<void>): Promise<Refusal | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** What somebody owes for charging: they start nothing until it is paid. */
export async function owedBy(
  tx: Tx,
  { ownerId = null, cardNo = null, vin = null, plateNo = null }: Pick<Wish, 'ownerId' | 'cardNo' | 'vin' | 'plateNo'>,
): Promise<number> {
  const [row] = await run<{ fen: number }>(
    tx,
    {
      sql: `select coalesce(sum(o.arrears_fen), 0)::bigint as fen from charging.charge c join charging.bill b on b.enterprise_id = c.enterprise_id and b.order_no = c.order_no
          join settlement.order o on o.enterprise_id = b.enterprise_id and o.id = b.settlement_id
        where c.enterprise_id = scope_enterprise() and o.arrears_fen > 0 and (c.owner_id = $1 or c.card_no = $2 or c.vin = $3 or c.plate_no = $4)`,
    },
    [ownerId, cardNo, vin, plateNo],
  )
  return Number(row!.fen)
}

/** The price table in force at a station. */
export async function tableAt(tx: Tx, stationId: string, at: Instant): Promise<Of<typeof Strategy> | undefined> {
  const [row] = await run<Of<typeof Strategy>>(
    tx,
    {
      sql: `select s.* from charging.station_price p join charging.strategy s on s.enterprise_id = p.enterprise_id and s.id = p.strategy_id
        where p.enterprise_id = scope_enterprise() and p.station_id = $1 and p.from_at <= $2 and (p.to_at is null or p.to_at > $2)`,
    },
    [stationId, at],
  )
  return row
}

/** Something that nobody ordered, and so has no price yet, finds one at its station. @throws NoPrice */
export async function mustBePriced(tx: Tx, { stationId }: Place, at: Instant): Promise<void> {
  if (!(await tableAt(tx, stationId, at))) throw NoPrice()
}

/** What a charge that begins now is priced by, from now on and whatever is changed later. @throws NoPrice */
export async function frozenPrices(tx: Tx, charger: Charger): Promise<Of<typeof Prices>> {
  const table = await tableAt(tx, charger.stationId, charger.at)
  if (!table) throw NoPrice()
  const [changed] = charger.platformId ? await repriced.ask(tx, { ...charger, periods: table.periods }) : []
  const offers = charger.platformId
    ? []
    : [...(await offersOfUser(tx, charger, table.tableId)), ...(await offersFor.ask(tx, charger)).flatMap(({ answer }) => answer)]
  const { idleGraceMin, occupyFenPerMin, occupyCapFen, quietFrom, quietTo, versionNo } = table
  return {
    strategyId: table.id,
    versionNo,
    periods: changed?.answer ?? table.periods,
    idleGraceMin,
    occupyFenPerMin,
    occupyCapFen,
    quietFrom,
    quietTo,
    offers,
  }
}
const OFFERS = {
  sql: `select id, name, service_permille, elec_permille, created_at from charging.strategy_user where enterprise_id = scope_enterprise() and (strategy_id is null or strategy_id = $1)
    and valid_from <= $2 and valid_to > $2 and (user_kind, user_key) in (select * from unnest($3::smallint[], $4::text[]))`,
}
async function offersOfUser(tx: Tx, charger: Charger, tableId: string): Promise<Of<typeof Prices>['offers']> {
  const { ownerId, cardNo, at } = charger
  const groups = ownerId ? (await groupsOf.ask(tx, { ownerId, at })).flatMap(({ answer }) => answer) : []
  const [whose] = ownerId ? await whoIs.ask(tx, { ownerId }) : []
  const known: [number, string | null][] = [
    [UserKind.owner, ownerId],
    [UserKind.phone, whose?.answer.phone ?? null],
    [UserKind.card, cardNo],
    [UserKind.plate, await ownPlate(tx, charger)],
  ]
  const keys = [...known, ...groups.map((group): [number, string] => [UserKind.group, group])].filter(
    (one): one is [number, string] => one[1] !== null,
  )
  if (keys.length === 0) return []
  const rows = await run<{ id: string; name: string; servicePermille: number; elecPermille: number; createdAt: Instant }>(tx, OFFERS, [
    tableId,
    at,
    keys.map(([kind]) => kind),
    keys.map(([, key]) => key),
  ])
  return rows.map(({ id, name, servicePermille, elecPermille, createdAt }) => ({
    kind: OfferKind.user,
    sourceId: id,
    name,
    value: servicePermille,
    elecPermille,
    thresholdFen: 0 as Fen,
    maxDiscountFen: null,
    createdAt,
  }))
}
/** Nobody is known by a plate, which anybody types: it is the car's that its plug names, or its verified owner's. */
async function ownPlate(tx: Tx, { ownerId, plateNo, vin }: Charger): Promise<string | null> {
  const [plugged] = vin === null ? [] : await ownerOf.ask(tx, { vin })
  if (plugged) return plugged.answer.plateNo
  const [owned] = ownerId === null || plateNo === null ? [] : await ownerOf.ask(tx, { plateNo })
  return owned && owned.answer.ownerId === ownerId ? plateNo : null
}

/** Of what began where no price was in force: its energy counts, and no bill is made of it before a person has seen to it. */
const UNPRICED = {
  ...{ strategyId: null, versionNo: 0, idleGraceMin: 0, occupyFenPerMin: 0, occupyCapFen: 0, quietFrom: null, quietTo: null, offers: [] },
  periods: [{ from: '00:00', to: '24:00', kind: PeriodKind.flat, elecPriceE4: 0, servicePriceE4: 0 }],
} as object as Of<typeof Prices>

/** A new charge, not started: it has no gun yet and no money. */
export async function openCharge(tx: Tx, place: Place, wish: Wish): Promise<Charge> {
  const {
    startMode,
    ownerId = null,
    cardNo = null,
    plateNo = null,
    plateColor = null,
    vin = null,
    idTag = null,
    platformId = null,
    partnerOperatorId = null,
    doorKey = null,
    at,
  } = wish
  const unpriced = wish.begun && !(await tableAt(tx, place.stationId, at))
  const prices = unpriced
    ? UNPRICED
    : await frozenPrices(tx, { stationId: place.stationId, startMode, ownerId, cardNo, plateNo, vin, platformId, at })
  const [number] = await run<{ orderNo: string }>(tx, { sql: `select platform.business_no('CD') as order_no` }, [])
  const orderNo = number!.orderNo
  const made = await addRow(tx, whole, {
    orderNo,
    startChargeSeq: wish.startChargeSeq ?? seqOf(place.operatorId, orderNo),
    parkCode: place.parkCode,
    stationId: place.stationId,
    equipmentId: place.equipmentId,
    connectorId: place.connectorId,
    startMode,
    ownerId,
    cardNo,
    plateNo,
    plateColor,
    vin,
    idTag,
    platformId,
    partnerOperatorId,
    doorKey,
    startTime: at,
    prices: json(prices),
  })
  await told(tx, made, { fromStatus: null, event: 'opened', at, byName: SYSTEM, note: null })
  return made
}
/** The operator's nine characters and eighteen digits: of our number, which has fourteen of time and six that follow one another. */
const seqOf = (operatorId: string, orderNo: string) => `${operatorId}${orderNo.replace(/\D/g, '').slice(-18)}`

/** Whoever wants a gun holds its row until the transaction ends: of two at once one gets it. A charge that names the gun, and wants nothing of it yet, waits for nobody. */
export const holdGun = (tx: Tx, connectorId: string) => run(tx, { sql: HOLD_GUN }, [connectorId])
const HOLD_GUN = 'select 1 from charging.connector where enterprise_id = scope_enterprise() and connector_id = $1 for no key update'
/** The gun is this charge's if nobody else has it. */
export async function claimGun(tx: Tx, charge: Charge, at: Instant): Promise<Charge | undefined> {
  await holdGun(tx, charge.connectorId)
  const [other] = await run(
    tx,
    {
      sql: `select 1 from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and claimed and status in (${OPEN}) and order_no <> $2`,
    },
    [charge.connectorId, charge.orderNo],
  )
  return other ? undefined : setCharge(tx, charge, { claimed: true }, at)
}
/** States in which a charge has its gun. */
export const OPEN = `${ChargeStatus.waiting}, ${ChargeStatus.starting}, ${ChargeStatus.charging}, ${ChargeStatus.stopping}`

/** Asks for the pile to begin: by a token that is good once. */
export async function wantStart(tx: Tx, charge: Charge, at: Instant): Promise<Charge> {
  const [next] = await run<{ startNo: number }>(tx, { sql: `select nextval('charging.start_no')::integer as start_no` }, [])
  const { startNo } = next!
  const token = `T${startNo.toString(36).toUpperCase()}${randomInt(36 ** 6)
    .toString(36)
    .toUpperCase()
    .padStart(6, '0')}`
  const asked = await setCharge(tx, charge, { token, startNo }, at)
  await announce(tx, startWanted, { orderNo: charge.orderNo, equipmentId: charge.equipmentId, connectorId: charge.connectorId, token, startNo })
  return asked
}

/** The charge that a pile's transaction belongs to. */
export async function chargeOf(tx: Tx, which: { equipmentId: string; transactionId: string }): Promise<Charge | undefined> {
  const [row] = await run<Charge>(
    tx,
    {
      sql: `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2 for update`,
    },
    [which.equipmentId, which.transactionId],
  )
  return row
}
/** The charge that has a gun. */
export async function chargeAt(tx: Tx, connectorId: string): Promise<Charge | undefined> {
  const [row] = await run<Charge>(
    tx,
    {
      sql: `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and claimed and status in (${OPEN}) for update`,
    },
    [connectorId],
  )
  return row
}
/** By what its pile was told; nobody holds it. */
export async function chargeBy(tx: Tx, column: 'token' | 'start_no', value: string | number): Promise<Charge | undefined> {
  const sql = column === 'token' ? BY_TOKEN : BY_START
  return (await run<Charge>(tx, { sql }, [value]))[0]
}
const BY_TOKEN = `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and token = $1`
const BY_START = `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and start_no = $1 order by start_time desc limit 1`
