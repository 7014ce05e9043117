import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { BillKind } from '../contract/money.ts'
import type { Line } from '../contract/price.ts'
import { ChargeStatus, StartMode, StopReason } from '../contract/session.ts'
import { costBy } from './bill.ts'
import { type Charge, COLUMNS, lockCharge, mayStart, OPEN, refusalOf } from './charge.ts'
import { askStop, askStopAgain, cancelCharge } from './hear.ts'
import { openPlace } from './partnerStations.ts'
import { askStart } from './start.ts'
import { Why } from '../contract/why.ts'

const NotOpen = refusal(
  'charging.partner-gun',
  41390,
  '该充电枪不存在或未对平台开放',
  'This connector does not exist or is not open to the platform',
  404,
)
const NoCredit = refusal(
  'charging.partner-credit',
  41391,
  '平台授信额度不足，请先调高授信额度',
  'The platform does not have enough credit: raise its credit first',
  422,
)
const SeqTaken = refusal(
  'charging.partner-seq',
  41392,
  '充电流水号已被使用，请换新流水号',
  'This charge sequence is already in use: use a new one',
  422,
)

/** A partner's wish to start: by its own number for the charge, which stays the charge's. */
export interface PartnerWish {
  platformId: string
  partnerOperatorId: string
  startChargeSeq: string
  connectorId: string
  at: Instant
}
/** Asked again by the same number it is the same charge. @throws NotOpen, NoCredit, and what keeps a gun from starting */
export async function startForPartner(tx: Tx, { platformId, partnerOperatorId, startChargeSeq, connectorId, at }: PartnerWish): Promise<Charge> {
  await holdPlatform(tx, platformId)
  const known = await chargeBySeq(tx, startChargeSeq)
  if (known) {
    if (known.platformId !== platformId || known.connectorId !== connectorId) throw SeqTaken()
    return known
  }
  const place = await openPlace(tx, platformId, connectorId)
  if (!place) throw NotOpen()
  if ((await creditLeft(tx, platformId)) < place.prepayFen) throw NoCredit()
  const wish = { connectorId, startMode: StartMode.partner, platformId, partnerOperatorId, startChargeSeq, at }
  return (await askStart(tx, { ...wish, pays: 'partner' })).charge
}
/** Its row is held, so that of two starts at once the second counts the first. */
async function holdPlatform(tx: Tx, platformId: string): Promise<void> {
  const sql = 'select 1 from charging.platform where enterprise_id = scope_enterprise() and id = $1 and not deleted for update'
  if ((await run(tx, { sql }, [platformId])).length === 0) throw NotFound()
}
/** What a partner may still charge for: its credit less what it owes, and less what its open charges cost or may come to. */
const creditLeft = async (tx: Tx, platformId: string): Promise<number> => (await run<{ fen: number }>(tx, { sql: CREDIT }, [platformId]))[0]?.fen ?? 0
const CREDIT = `select (p.credit_limit_fen
    - (select coalesce(sum(b.debit_fen - b.credit_fen), 0) from ledger.balance b where b.enterprise_id = p.enterprise_id and b.account = 'asset.partner' and b.sub = 'platform:' || p.id)
    - (select coalesce(sum(greatest(c.cost_fen, s.prepay_fen)), 0) from charging.charge c join charging.station s on s.enterprise_id = c.enterprise_id and s.station_id = c.station_id
        where c.enterprise_id = p.enterprise_id and c.platform_id = p.id::text and c.status in (${OPEN}, ${ChargeStatus.billing}, ${ChargeStatus.abnormal})))::bigint as fen
  from charging.platform p where p.enterprise_id = scope_enterprise() and p.id = $1`

async function chargeBySeq(tx: Tx, startChargeSeq: string): Promise<Charge | undefined> {
  const sql = `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and start_charge_seq = $1`
  return (await run<Charge>(tx, { sql }, [startChargeSeq]))[0]
}
/** A partner's own charge, by its number; another's is none. */
export async function chargeOfPartner(tx: Tx, platformId: string, startChargeSeq: string): Promise<Charge | undefined> {
  const found = await chargeBySeq(tx, startChargeSeq)
  return found?.platformId === platformId ? found : undefined
}

/** Asks for the end of a partner's charge; one that has not begun is called off. @returns the charge, and whether it was over before */
export async function stopForPartner(
  tx: Tx,
  platformId: string,
  startChargeSeq: string,
  at: Instant,
): Promise<{ charge: Charge; over: boolean } | undefined> {
  const known = await chargeOfPartner(tx, platformId, startChargeSeq)
  if (!known) return undefined
  const charge = await lockCharge(tx, known.orderNo)
  if (charge.status === ChargeStatus.charging) return { charge: await askStop(tx, charge, StopReason.partner, at), over: false }
  if (charge.status === ChargeStatus.stopping) {
    await askStopAgain(tx, charge, 'stopAsked', at)
    return { charge, over: false }
  }
  if (charge.status !== ChargeStatus.waiting && charge.status !== ChargeStatus.starting) return { charge, over: true }
  await cancelCharge(tx, charge, Why.byPlatform, at)
  return { charge: { ...charge, status: ChargeStatus.cancelled }, over: false }
}

export type MayCharge = 'yes' | 'unplugged' | 'no'
/** Whether a partner's driver could begin at a gun now. */
export async function mayCharge(tx: Tx, platformId: string, connectorId: string, at: Instant): Promise<MayCharge | undefined> {
  const place = await openPlace(tx, platformId, connectorId)
  if (!place) return undefined
  if (await refusalOf(mayStart(tx, place, null, at))) return 'no'
  if (place.status === ConnectorStatus.free) return 'unplugged'
  return (await creditLeft(tx, platformId)) < place.prepayFen ? 'no' : 'yes'
}

/** A partner's charge as it is at this moment, priced by the function that will bill it. */
export interface Progress {
  charge: Charge
  connectorStatus: number
  measuredAt: Instant | null
  currentMa: number | null
  voltageDv: number | null
  lines: readonly Line[]
}
export async function progressOf(tx: Tx, charge: Charge): Promise<Progress> {
  const [[gun], [bill], { lines }] = await Promise.all([
    run<Omit<Progress, 'charge' | 'lines'>>(tx, { sql: LATEST }, [charge.connectorId, charge.orderNo]),
    run<{ lines: Line[] }>(tx, { sql: BILLED }, [charge.orderNo]),
    costBy(tx, charge),
  ])
  return {
    charge,
    ...(gun ?? { connectorStatus: ConnectorStatus.offline, measuredAt: null, currentMa: null, voltageDv: null }),
    lines: bill?.lines ?? lines,
  }
}
const LATEST = `select g.status as connector_status, m.at as measured_at, m.current_ma, m.voltage_dv from charging.gun g
    left join lateral (select at, current_ma, voltage_dv from charging.meter_sample where enterprise_id = g.enterprise_id and order_no = $2 order by at desc limit 1) m on true
  where g.enterprise_id = scope_enterprise() and g.connector_id = $1`
const BILLED = `select lines from charging.bill where enterprise_id = scope_enterprise() and order_no = $1 and kind = ${BillKind.charge}`

/** By its number of ours, for whoever hears that it moved. */
export async function partnersCharge(tx: Tx, orderNo: string): Promise<(Charge & { platformId: string }) | undefined> {
  const sql = `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and order_no = $1 and platform_id is not null`
  return (await run<Charge & { platformId: string }>(tx, { sql }, [orderNo]))[0]
}
