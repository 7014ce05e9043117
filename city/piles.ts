import {
  addPrices,
  askStart,
  began,
  billWhenDue,
  connectorSaid,
  ended,
  giveSecret,
  lockCharge,
  meterSaid,
  pileSaid,
  startAnswered,
  startForPartner,
} from '../domains/charging/server/api.ts'
import { card, CardKind } from '../domains/charging/contract/card.ts'
import { connector, ConnectorStatus, ConnectorType } from '../domains/charging/contract/connector.ts'
import { AdminStatus, equipment, pile, EquipmentType, PileProtocol } from '../domains/charging/contract/pile.ts'
import { operator } from '../domains/charging/contract/operator.ts'
import { ChargeStatus, StartMode, StopReason } from '../domains/charging/contract/session.ts'
import { station, StationStatus, Construction } from '../domains/charging/contract/station.ts'
import { PeriodKind, strategy } from '../domains/charging/contract/strategy.ts'
import { begin, finishRefund, noticePayment } from '../domains/settlement/server/api.ts'
import type { Id, Instant } from '../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../platform/contract/time.ts'
import { run, type Tx } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { Refusal } from '../platform/server/refusal.ts'
import type { Client } from './client.ts'
import { orWithout } from './child.ts'
import { startPilesProcess } from './livePiles/child.ts'
import { type PileLeft, powerAt } from './piles/pile.ts'
import { PARKS } from './plan.ts'
import { plateFrom, type Random, randomFrom } from './random.ts'
import { unlessThere } from './setup.ts'
import { PayMethod } from '../domains/settlement/contract/payment.ts'
import { RefundState } from '../domains/settlement/contract/refund.ts'

/** A station of the simulated district: its piles have one gun each, every fourth of them is a slow one. */
interface PlannedStation {
  stationId: string
  stationName: string
  operatorId: string
  parkCode: string
  /** Names of its piles at the gateway, as `city/piles/town.ts` calls them. */
  points: readonly string[]
}
const points = (from: number, count: number) => Array.from({ length: count }, (_, n) => `CP${String(from + n).padStart(3, '0')}`)
const OWN = 'MA5KERB01'
const OTHER = 'MA5XZDL02'
export const STATIONS: readonly PlannedStation[] = [
  { stationId: 'ST001', stationName: '人民广场充电站', operatorId: OWN, parkCode: 'P001', points: points(1, 8) },
  { stationId: 'ST002', stationName: '中心医院充电站', operatorId: OWN, parkCode: 'P002', points: points(9, 8) },
  {
    stationId: 'ST003',
    stationName: '高铁东站充电站',
    operatorId: OTHER,
    parkCode: 'P003',
    points: [...points(17, 4), ...points(101, 4)],
  },
]
const REGION = '420607'
/** From here on a pile speaks OCPP 2.0.1. */
const FIRST_201 = 100
export interface PlannedPile {
  equipmentId: string
  connectorId: string
  point: string
  protocol: 1 | 2
  /** Kilowatts. */
  power: 60 | 7
}
export const pilesOf = ({ stationId, points }: PlannedStation): PlannedPile[] =>
  points.map((point) => {
    const no = Number(point.slice(2))
    const equipmentId = `${stationId}-${point.slice(2)}`
    const protocol = no > FIRST_201 ? PileProtocol.ocpp201 : PileProtocol.ocpp16
    return { equipmentId, connectorId: `${equipmentId}-1`, point, protocol, power: (no - 1) % 4 === 3 ? 7 : 60 }
  })

const period = (from: string, to: string, kind: 1 | 2 | 3 | 4 | 5, elecPriceE4: number, servicePriceE4: number) => ({
  from,
  to,
  kind,
  elecPriceE4,
  servicePriceE4,
})
const { sharp, peak, flat, valley } = PeriodKind
/** As the grid of the province tells its times of day, with a service fee of our own. */
const TIMED = [
  period('00:00', '07:00', valley, 3_420, 3_000),
  period('07:00', '09:00', flat, 6_890, 4_000),
  period('09:00', '12:00', peak, 10_280, 4_000),
  period('12:00', '17:00', flat, 6_890, 4_000),
  period('17:00', '20:00', sharp, 12_340, 4_500),
  period('20:00', '23:00', peak, 10_280, 4_000),
  period('23:00', '24:00', valley, 3_420, 3_000),
]
const FLAT = [period('00:00', '24:00', flat, 7_000, 5_000)]
/** The credit of a company's card for one charge, in fen: more than any of the demo costs, for a card that owes is not accepted again. */
const CREDIT_FEN = 15_000
/** From before the first charge of the demo's past. */
const IN_FORCE_DAYS = 100
const LASTS_DAYS = 300

/** Operators, stations, piles, guns, prices and cards as an administrator makes them. What is there already stays: what comes last tells whether all of it is. */
export async function setUpPiles(house: House, client: Client, enterprise: number, nowMs: number): Promise<void> {
  const { priced, done } = await house.reading(enterprise, setUpSoFar)
  if (done) return
  await unlessThere(() =>
    client.ask(operator.saveOrUpdate, {
      operatorId: OWN,
      operatorName: '泊城充电',
      operatorTel1: '0710-3600010',
      regAddress: '襄州区人民路 1 号',
      own: true,
    }),
  )
  await unlessThere(() => client.ask(operator.saveOrUpdate, { operatorId: OTHER, operatorName: '襄州电力充电', operatorTel1: '0710-3600020' }))
  for (const one of STATIONS) await unlessThere(() => setUpStation(client, one))
  const piles = STATIONS.flatMap((one) => pilesOf(one).map((of) => ({ ...of, stationId: one.stationId })))
  for (const one of piles) await setUpPile(client, one)
  await putInUse(client)
  if (!priced) await setPrices(house, enterprise, nowMs)
  await setUpCards(client, nowMs)
}
const setUpSoFar = async (tx: Tx) => (await run<{ priced: boolean; done: boolean }>(tx, { sql: SO_FAR }, []))[0]!
const SO_FAR = 'select exists (select from charging.station_price) as priced, exists (select from charging.strategy_user) as done'
const setPrices = (house: House, enterprise: number, nowMs: number): Promise<void> =>
  house.writing(enterprise, 'demo', async (tx) => {
    const at = instantAt(nowMs - IN_FORCE_DAYS * DAY_MS)
    const prices = { idleGraceMin: 15, occupyFenPerMin: 50 as never, occupyCapFen: 2_000 as never }
    await addPrices(tx, { name: '分时电价', periods: TIMED, ...prices, stationIds: ['ST001', 'ST002'], publish: true }, '演示', at)
    await addPrices(tx, { name: '高铁站一口价', periods: FLAT, ...prices, stationIds: ['ST003'], publish: true }, '演示', at)
  })

/** All piles of the demo sign in with its password: those that have none yet are given it, and with a new one every pile. */
export const giveSecrets = (house: House, enterprise: number, { secret, isNew }: { secret: string; isNew: boolean }): Promise<void> =>
  house.writing(enterprise, 'demo', async (tx) => {
    const sql = 'select equipment_id from charging.link where secret_hash is not null'
    const have = new Set((await run<{ equipmentId: string }>(tx, { sql }, [])).map(({ equipmentId }) => equipmentId))
    for (const { equipmentId } of STATIONS.flatMap(pilesOf)) if (isNew || !have.has(equipmentId)) await giveSecret(tx, equipmentId, secret)
  })

async function setUpStation(client: Client, { stationId, stationName, operatorId, parkCode, points }: PlannedStation): Promise<void> {
  const { lng, lat, address } = PARKS.find((park) => park.parkCode === parkCode)!
  await client.ask(station.save, {
    stationId,
    stationName,
    operatorId,
    parkCode,
    regionCode: REGION,
    address,
    serviceTel: '400-0710-001',
    stationLng: lng,
    stationLat: lat,
    stationStatus: StationStatus.inUse,
    construction: Construction.building,
    parkNums: points.length,
    parkFee: '充电 2 小时内停车免费',
    prepayFen: CREDIT_FEN as never,
  })
}
async function setUpPile(
  client: Client,
  { stationId, equipmentId, connectorId, point, protocol, power }: PlannedPile & { stationId: string },
): Promise<void> {
  const slow = power === 7
  await unlessThere(() =>
    client.ask(pile.saveInfo, {
      equipmentId,
      stationId,
      equipmentName: `${Number(point.slice(2))} 号桩`,
      equipmentType: slow ? EquipmentType.ac : EquipmentType.dc,
      power,
      manufacturerName: '泊桩科技',
      equipmentModel: `K${power}`,
      chargePointId: point,
      protocol,
    }),
  )
  await unlessThere(() =>
    client.ask(connector.save, {
      connectorId,
      equipmentId,
      connectorType: slow ? ConnectorType.acPlug : ConnectorType.dcPlug,
      power,
      voltageUpper: slow ? 220 : 750,
      voltageLower: slow ? 220 : 200,
      current: slow ? 32 : 250,
      ocppConnectorNo: 1,
      parkNo: `C${point.slice(-2)}`,
      ...(protocol === PileProtocol.ocpp201 && { evseId: 1 }),
    }),
  )
}
async function putInUse(client: Client): Promise<void> {
  const planned = new Set(STATIONS.flatMap(pilesOf).map(({ equipmentId }) => equipmentId))
  const { records } = await client.ask(equipment.tableList, { adminStatus: [AdminStatus.waiting], limit: 100 })
  for (const { id, equipmentId } of records)
    if (planned.has(equipmentId)) await client.ask(pile.updateStatus, { id, status: AdminStatus.enabled, reason: '验收合格，投入使用' })
}
export const COMPANY_CARDS = ['EBWL0001', 'EBWL0002', 'XZGJ0001'] as const
/** Cards of a fleet that charges here every day: none of its past is told, so that each is free to be used. */
const FLEET_CARDS = Array.from({ length: 10 }, (_, n) => `TAG${String(n + 1).padStart(4, '0')}`)
const STAFF_CARD = 'YG000001'
async function setUpCards(client: Client, nowMs: number): Promise<void> {
  const random = randomFrom(41)
  for (const cardNo of [...COMPANY_CARDS, ...FLEET_CARDS]) {
    const unit = cardNo.startsWith('EB') ? '鄂北物流有限公司' : cardNo.startsWith('XZ') ? '襄州公交二分公司' : '襄州出租车有限公司'
    const { plateNo } = plateFrom(random)
    await unlessThere(() => client.ask(card.save, { cardNo, kind: CardKind.company, unit, creditFen: 500_000 as never, plateNo }))
  }
  await unlessThere(() => client.ask(card.save, { cardNo: STAFF_CARD, kind: CardKind.staff, holderName: '运维' }))
  const [validFrom, validTo] = [instantAt(nowMs - IN_FORCE_DAYS * DAY_MS), instantAt(nowMs + LASTS_DAYS * DAY_MS)]
  const users = COMPANY_CARDS.slice(0, 2).map((cardNo) => ({ cardNo }))
  await unlessThere(() => client.ask(strategy.insertUser, { name: '车队九折', users, servicePermille: 900, validFrom, validTo }))
}

/** The partner platform whose drivers come to these piles. */
export interface Partner {
  platformId: string
  partnerOperatorId: string
}
/** How a charge of the past went. */
export interface Past extends PlannedPile {
  startMs: number
  random: Random
  /** Paid in advance by whoever scanned, or a card. */
  cardNo: string | null
  partner?: Partner & { seq: string }
  ending: 'left' | 'stayed' | 'insane' | 'failed' | 'running'
}
export const DAYS = 3
/** So many charges a pile has had. */
const OF_EACH = 2
const RUNNING_MIN = 24
/** A register that has counted nothing yet. */
const REGISTER_WH = 5_000_000
/**
 * Registers of the demo's past go on by the clock, faster than its cars take from them: a full battery between two cars that come two hours after each other. What began later
 * begins higher, whoever came, and whichever start told of it.
 */
const REGISTER_SINCE_MS = Date.UTC(2025, 0, 1)
const REGISTER_W = 25_000
export const registerAt = (ms: number) => REGISTER_WH + Math.round(((ms - REGISTER_SINCE_MS) / (60 * MINUTE_MS)) * REGISTER_W)
const SAMPLES = 6
const PREPAY_FEN = 5_000
/** More would take the server's connections from whoever calls meanwhile. */
const AT_ONCE = 3
/** A gun is taken so long after its charge where the car stayed. */
const STAYED_MIN = 50

/**
 * Charges of the last days and some that go on now, told as the gateway hears them of its piles: the domain itself priced each of them, took its money and gave the rest back.
 * One has a register that cannot be, one did not start, two cars stayed when they were full. What was cut off goes on with each pile where it was.
 */
export async function fillPiles(house: House, enterprise: number, nowMs: number): Promise<void> {
  const told = new Map((await house.reading(enterprise, chargesTold)).map(({ connectorId, charges }) => [connectorId, charges]))
  const piles = STATIONS.flatMap(pilesOf).map((of, place) => ({ ...of, place, had: told.get(of.connectorId) ?? 0 }))
  const lacking = piles.filter(({ place, had }) => had < (goesOn(place) ? OF_EACH + 1 : OF_EACH))
  if (lacking.length === 0) return
  const play = (work: (tx: Tx) => Promise<unknown>) => house.writing(enterprise, 'demo', work)
  await play(async (tx) => {
    for (const one of lacking) if (one.had === 0) await comesOnLine(tx, one, nowMs)
  })
  const past = async ({ place, had, ...one }: (typeof lacking)[number]) => {
    const random = randomFrom(place * 97 + 5)
    for (let nth = had; nth < OF_EACH; nth++) {
      const startMs = nowMs - DAYS * DAY_MS + ((nth + 0.15 + random.next() * 0.55) * DAYS * DAY_MS) / OF_EACH
      const no = place * OF_EACH + nth
      const ending = no === 9 ? 'insane' : no === 14 ? 'failed' : no % 11 === 5 ? 'stayed' : 'left'
      const cardNo = no % 3 === 1 && ending !== 'failed' ? (no % 4 === 1 ? STAFF_CARD : COMPANY_CARDS[no % COMPANY_CARDS.length]!) : null
      await play((tx) => charged(tx, { ...one, startMs: Math.round(startMs), random, cardNo, ending }))
    }
    if (goesOn(place)) await play((tx) => charged(tx, { ...one, startMs: nowMs - RUNNING_MIN * MINUTE_MS, random, cardNo: null, ending: 'running' }))
    else if (isFaulty(place)) await play((tx) => says(tx, one, ConnectorStatus.faulty, 'Faulted', nowMs - 7 * MINUTE_MS, 'HighTemperature'))
  }
  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async (_, first) => {
      for (let nth = first; nth < lacking.length; nth += AT_ONCE) await past(lacking[nth]!)
    }),
  )
  // A retry must not meet a call that is still under way.
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  for (const { point, equipmentId } of piles)
    if (isAway(point)) await play((tx) => pileSaid(tx, { equipmentId, online: false, at: instantAt(nowMs), skewSec: 0 }))
}
/** One pile in four charges now. */
export const goesOn = (place: number) => place % 4 === 0
export const isFaulty = (place: number) => place % 7 === 3
/** A partner's drivers come afterwards. */
const chargesTold = (tx: Tx) => run<{ connectorId: string; charges: number }>(tx, { sql: TOLD }, [])
const TOLD = 'select connector_id, count(*)::int as charges from charging.charge where partner_operator_id is null group by connector_id'

/** Hours ago that a partner's drivers came: none of them where another car of the demo stood. */
const PARTNER_HOURS = [84, 38, 4]
export const PARTNER_LATELY_DAYS = 4
/** Piles of the first station that nobody uses just now. */
export const PARTNER_PILES = [1, 2, 6]
/** Before that one of them came late in the evening of two days in three: enough for two months to be settled. */
const PARTNER_DAYS = { from: 5, to: 70 }
const PARTNER_FROM_MIN = 21 * 60 + 10
const startsOf = (nowMs: number) => {
  const today = msOf(startOf(dayOf(instantAt(nowMs))))
  const evenings = Array.from({ length: PARTNER_DAYS.to - PARTNER_DAYS.from }, (_, n) => PARTNER_DAYS.to - n)
    .filter((back) => back % 3 !== 0)
    .map((back) => ({
      place: PARTNER_PILES[back % PARTNER_PILES.length]!,
      startMs: today - back * DAY_MS + (PARTNER_FROM_MIN + ((back * 17) % 90)) * MINUTE_MS,
    }))
  const lately = PARTNER_HOURS.flatMap((hours) => PARTNER_PILES.map((place) => ({ place, startMs: nowMs - (hours * 60 - place) * MINUTE_MS })))
  return { evenings, lately }
}
/** Charges of a partner's drivers. @returns by which numbers and when they began, the oldest first */
export async function fillPartner(house: House, enterprise: number, partner: Partner, nowMs: number): Promise<PartnerPast> {
  const piles = pilesOf(STATIONS[0]!)
  const { evenings, lately } = startsOf(nowMs)
  const told = [...evenings, ...lately].map((one, nth) => ({ ...one, nth, seq: seqOf(partner, one.startMs) }))
  const all: PartnerCharge[] = []
  for (const { place, startMs, seq, nth } of told) {
    const one = { ...piles[place]!, startMs, random: randomFrom(nth * 53 + 7), cardNo: null, partner: { ...partner, seq }, ending: 'left' } as const
    const began = house.writing(enterprise, 'demo', (tx) => charged(tx, one))
    if (await unlessTaken(began)) all.push({ seq, at: instantAt(startMs), isLate: nth >= evenings.length })
  }
  return { all, latest: all.find(({ isLate }) => isLate) }
}
interface PartnerCharge {
  seq: string
  at: Instant
  isLate: boolean
}
export interface PartnerPast {
  all: PartnerCharge[]
  /** The first of the last days. */
  latest: PartnerCharge | undefined
}
/** After an earlier start that did not come so far somebody may charge at a gun by now: then nothing is told of its past. */
export const unlessTaken = (began: Promise<void>): Promise<boolean> =>
  began.then(
    () => true,
    (error: Error) => {
      if (!(error instanceof Refusal && TAKEN.includes(error.id))) throw error
      return false
    },
  )
const TAKEN: readonly string[] = ['charging.gun-taken', 'charging.gun-taken-meanwhile']
const seqOf = ({ partnerOperatorId }: Partner, ms: number) => `${partnerOperatorId}${String(ms).padStart(18, '0')}`
/** One of them went off line. */
export const isAway = (point: string) => Number(point.slice(2)) === 6

/** From now on the piles speak for themselves, through their own door: what they were doing goes on, one of them stays away. */
export async function playPiles(house: House, enterprise: number, { url, secret }: { url: string; secret: string }): Promise<void> {
  const left = (await house.reading(enterprise, pilesLeft)).filter(({ id }) => !isAway(id))
  await orWithout(house.log, startPilesProcess({ url, secret, cards: FLEET_CARDS, left }))
}
/** The state that piles resume with, by their last reports. */
export const pilesLeft = (tx: Tx): Promise<PileLeft[]> => run<PileLeft>(tx, { sql: LEFT }, [])
const LEFT = `select e.charge_point_id as id, g.told = ${ConnectorStatus.faulty} as faulty,
    coalesce((select max(m.meter_wh) from charging.meter_sample m where m.enterprise_id = c.enterprise_id and m.connector_id = c.connector_id and m.order_no = c.order_no), c.start_wh,
      (select max(b.end_wh) from charging.charge b where b.enterprise_id = g.enterprise_id and b.connector_id = g.connector_id), ${REGISTER_WH})::bigint as register_wh,
    case when c.order_no is not null then jsonb_build_object('transaction', c.transaction_id, 'tag', coalesce(c.id_tag, c.token), 'soc', coalesce(c.soc, 50), 'seqNo',
      (select coalesce(max(t.seq_no) + 1, 0) from charging.transaction_event t where t.enterprise_id = c.enterprise_id and t.equipment_id = c.equipment_id and t.transaction_id = c.transaction_id)) end as running
  from charging.equipment e join charging.gun g on g.enterprise_id = e.enterprise_id and g.equipment_id = e.equipment_id
    left join charging.charge c on c.enterprise_id = g.enterprise_id and c.connector_id = g.connector_id and c.claimed and c.status in (${ChargeStatus.charging}, ${ChargeStatus.stopping})
  where e.enterprise_id = scope_enterprise() and e.charge_point_id is not null and e.admin_status = ${AdminStatus.enabled} order by e.charge_point_id`
async function comesOnLine(tx: Tx, one: PlannedPile, nowMs: number): Promise<void> {
  const told = { vendor: '泊桩科技', model: `K${one.power}`, serialNo: `SN${one.point}`, firmware: '1.4.2', bootAt: instantAt(nowMs - DAYS * DAY_MS) }
  const sinceMs = nowMs - (DAYS + 1) * DAY_MS
  for (const ms of [sinceMs, nowMs]) await pileSaid(tx, { equipmentId: one.equipmentId, online: true, at: instantAt(ms), skewSec: 0, ...told })
  await says(tx, one, ConnectorStatus.free, 'Available', sinceMs)
}
const says = (tx: Tx, { connectorId }: PlannedPile, status: 0 | 1 | 2 | 3 | 255, raw: string, ms: number, errorCode: string | null = null) =>
  connectorSaid(tx, { connectorId, status, raw, errorCode, at: instantAt(Math.round(ms)), receivedAt: instantAt(Math.round(ms)) })

/** One charge from its first word to its bill, as the gateway and the channel tell of it; its gun is free now. */
export async function charged(tx: Tx, past: Past): Promise<void> {
  const { connectorId, startMs, cardNo, partner, ending, random, power } = past
  const meterWh = registerAt(startMs)
  const at = instantAt(startMs)
  // Where making the demo takes its time, nobody has heard of its pile for a while.
  await pileSaid(tx, { equipmentId: past.equipmentId, online: true, at: instantAt(Date.now()), skewSec: 0 })
  const scan = cardNo === null && !partner ? await scanned(tx, past) : undefined
  if (ending === 'failed') {
    await startAnswered(tx, { orderNo: scan!.orderNo, accepted: false, why: '车辆未插枪或未启动', at })
    return back(tx, scan!.orderId, startMs)
  }
  const asked = scan ?? (partner && (await startForPartner(tx, { ...partner, startChargeSeq: partner.seq, connectorId, at })))
  if (asked) await startAnswered(tx, { orderNo: asked.orderNo, accepted: true, at })
  const idTag = asked ? (await lockCharge(tx, asked.orderNo)).token : cardNo
  const { transactionId, orderNo } = await began(tx, { connectorId, transactionId: null, idTag, meterWh, at, receivedAt: at, offline: false })
  await says(tx, past, ConnectorStatus.charging, 'Charging', startMs)
  const minutes = ending === 'running' ? RUNNING_MIN - 1 : power === 7 ? 90 + random.below(150) : 22 + random.below(26)
  const soc = 18 + random.below(30)
  const curve = curveOf(power, minutes, soc, 52_000 + random.below(30_000))
  const samples = curve.map((one) => ({
    at: instantAt(startMs + Math.round(one.minute * MINUTE_MS)),
    meterWh: meterWh + one.wh,
    powerW: one.powerW,
    soc: one.soc,
    temperatureC: 30 + random.below(25),
  }))
  await meterSaid(tx, { connectorId, transactionId, samples, receivedAt: samples.at(-1)!.at })
  if (ending !== 'running')
    await over(tx, past, { transactionId, orderNo: orderNo!, minutes, meterWh: meterWh + curve.at(-1)!.wh, orderId: scan?.orderId })
}

/** The register's readings on the way, at full power up to four fifths and at less from then on. */
function curveOf(power: number, minutes: number, from: number, capacityWh: number): { minute: number; wh: number; powerW: number; soc: number }[] {
  let [wh, soc] = [0, from]
  return Array.from({ length: SAMPLES }, (_, n) => {
    const powerW = powerAt(soc, power * 1_000)
    wh += Math.round((powerW * minutes) / SAMPLES / 60)
    soc = Math.min(100, from + (wh / capacityWh) * 100)
    return { minute: ((n + 1) * minutes) / SAMPLES, wh, powerW, soc: Math.round(soc) }
  })
}

/** A driver scans, pays in advance through the channel, and the gun is theirs. */
async function scanned(tx: Tx, { connectorId, startMs, random }: Past): Promise<{ orderNo: string; orderId: string }> {
  const at = instantAt(startMs - MINUTE_MS)
  const car = plateFrom(random)
  const { charge, hold } = await askStart(tx, { connectorId, startMode: StartMode.scan, pays: 'prepaid', prepayFen: PREPAY_FEN, ...car, at })
  const orderId = hold!.settlementId!
  const { attempt } = await begin(tx, orderId, random.chance(0.7) ? PayMethod.wechat : PayMethod.alipay, at)
  const { payNo, channel, amountFen } = attempt
  await noticePayment(tx, { payNo, channel, tradeNo: `42000031${payNo.replaceAll(/\D/g, '')}`, amountFen, paidAt: at, at })
  return { orderNo: charge.orderNo, orderId }
}

interface End {
  transactionId: string
  orderNo: string
  minutes: number
  meterWh: number
  orderId: string | undefined
}
const BILLED_AFTER_MS = 31_000
/** So much does a register of the demo jump: more than its gun could have given. */
const SKIPPED_WH = 120_000
async function over(tx: Tx, past: Past, { transactionId, orderNo, minutes, meterWh, orderId }: End): Promise<void> {
  const { equipmentId, startMs, ending, random } = past
  const endMs = startMs + minutes * MINUTE_MS + 10_000
  const at = instantAt(endMs)
  const reason = random.chance(0.6) ? StopReason.user : StopReason.full
  await ended(tx, {
    equipmentId,
    transactionId,
    meterWh: ending === 'insane' ? meterWh + SKIPPED_WH : meterWh,
    reason,
    at,
    receivedAt: at,
    offline: false,
  })
  await says(tx, past, ConnectorStatus.plugged, 'Finishing', endMs + 1_000)
  const leftMs = endMs + (ending === 'stayed' ? STAYED_MIN * MINUTE_MS : BILLED_AFTER_MS / 2)
  if (ending !== 'stayed') await says(tx, past, ConnectorStatus.free, 'Available', leftMs)
  await billWhenDue(tx, orderNo, instantAt(endMs + BILLED_AFTER_MS))
  if (ending === 'stayed') await says(tx, past, ConnectorStatus.free, 'Available', leftMs)
  if (orderId && ending !== 'insane') await back(tx, orderId, leftMs + BILLED_AFTER_MS)
}
/** The channel has sent back what was not used. */
async function back(tx: Tx, orderId: string, ms: number): Promise<void> {
  const sql = `select refund_no from settlement.refund where order_id = $1 and state = ${RefundState.approved}`
  const sent = await run<{ refundNo: string }>(tx, { sql }, [orderId as Id<'OrderId'>])
  for (const { refundNo } of sent)
    await finishRefund(tx, { refundNo, ok: true, channelRefundNo: `5030${refundNo.replaceAll(/\D/g, '')}`, at: instantAt(ms) as Instant })
}
