import { timingSafeEqual } from 'node:crypto'
import {
  type Caller,
  type Charge,
  ChargeStatus,
  chargeOfPartner,
  compared,
  giveToken,
  mayCharge,
  openEnergy,
  openGuns,
  openPlace,
  openPrices,
  openStations,
  progressOf,
  startForPartner,
  stopForPartner,
  TOKEN_S,
} from '../../domains/charging/server/api.ts'
import { dayIn, edgeIn } from '../../platform/contract/time.ts'
import { Direction } from '../../domains/charging/contract/statement.ts'
import { PlatformRole } from '../../domains/charging/contract/platform.ts'
import { kwhOf, priceOf, timeIn } from './codec.ts'
import { notifications } from './notifications.ts'
import { chargesNamed, disputeWire, gunWire, progressWire, seqStat, stationWire, theirCharges } from './wire.ts'
import { type Interface, Side, text, Wrong } from './words.ts'
const STATIONS_MAX = 50
const PAGE_MAX = 100
const number = (value: unknown, name: string, { least, most, otherwise }: { least: number; most: number; otherwise: number }): number => {
  if (value === undefined || value === null || value === '') return otherwise
  const given = Number(value)
  if (!Number.isInteger(given) || given < least) throw new Wrong(`${name} is no number from ${least} on`)
  return Math.min(given, most)
}
const connectorOf = (said: Record<string, unknown>) => text(said, 'ConnectorID', 26)
const SEQ = /^[0-9A-Za-z]{27}$/
/** The caller's own code, and eighteen characters of its choice. */
function seqOf(said: Record<string, unknown>, name: string, { operatorId }: Caller): string {
  const seq = text(said, name, 27)
  if (!SEQ.test(seq) || !seq.startsWith(operatorId)) throw new Wrong(`${name} is not the caller's code and 18 characters`)
  return seq
}

const queryToken: Interface = {
  name: 'query_token',
  open: true,
  writes: true,
  async answer({ tx, caller, said, at }) {
    const { operatorId, platformId, secrets } = caller
    const none = (FailReason: 1 | 2) => ({ OperatorID: operatorId, SuccStat: 1, AccessToken: '', TokenAvailableTime: 0, FailReason })
    if (said['OperatorID'] !== operatorId) return none(1)
    if (!same(String(said['OperatorSecret'] ?? ''), secrets.operatorSecret)) return none(2)
    const AccessToken = await giveToken(tx, platformId, at)
    return { OperatorID: operatorId, SuccStat: 0, AccessToken, TokenAvailableTime: TOKEN_S, FailReason: 0 }
  },
}
function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const queryStationsInfo: Interface = {
  name: 'query_stations_info',
  asks: Side.demand,
  async answer({ tx, caller: { platformId }, said }) {
    const page = number(said['PageNo'], 'PageNo', { least: 1, most: 100_000, otherwise: 1 })
    const size = number(said['PageSize'], 'PageSize', { least: 1, most: PAGE_MAX, otherwise: 10 })
    const given = said['LastQueryTime'] ?? ''
    const since = given === '' ? null : (timeIn(given) ?? null)
    if (given !== '' && since === null) throw new Wrong('LastQueryTime is no time')
    const { total, stations } = await openStations(tx, { platformId, since, page, size })
    return { PageNo: page, PageCount: Math.ceil(total / size), ItemSize: total, StationInfos: stations.map(stationWire) }
  },
}
const queryStationStatus: Interface = {
  name: 'query_station_status',
  asks: Side.demand,
  async answer({ tx, caller: { platformId }, said }) {
    const ids = said['StationIDs']
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > STATIONS_MAX || !ids.every((one) => typeof one === 'string' && one.length <= 20))
      throw new Wrong(`StationIDs names 1 to ${STATIONS_MAX} stations`)
    const guns = Map.groupBy(await openGuns(tx, platformId, { stationIds: ids as string[] }), ({ stationId }) => stationId)
    const StationStatusInfos = [...guns].map(([StationID, all]) => ({ StationID, ConnectorStatusInfos: all.map(gunWire) }))
    return { Total: StationStatusInfos.length, StationStatusInfos }
  },
}
/** A year at a time. */
const STATS_DAYS_MAX = 366
const queryStationStats: Interface = {
  name: 'query_station_stats',
  asks: Side.demand,
  async answer({ tx, caller: { platformId }, said, at }) {
    const stationId = text(said, 'StationID', 20)
    const [StartTime, EndTime] = [dayIn(text(said, 'StartTime', 19)), dayIn(text(said, 'EndTime', 19))]
    if (!StartTime || !EndTime || EndTime < StartTime) throw new Wrong('StartTime and EndTime are days, the first one first')
    const [from, to] = [edgeIn(StartTime, 'first')!, edgeIn(EndTime, 'last')!]
    if (Date.parse(to) - Date.parse(from) > STATS_DAYS_MAX * 86_400_000) throw new Wrong(`no more than ${STATS_DAYS_MAX} days at once`)
    const guns = await openEnergy(tx, { platformId, stationId, from, to, at })
    if (!guns) throw new Wrong('there is no such station')
    const sum = (all: typeof guns) => kwhOf(all.reduce((wh, one) => wh + one.wh, 0))
    const EquipmentStatsInfos = [...Map.groupBy(guns, ({ equipmentId }) => equipmentId)].map(([EquipmentID, all]) => ({
      EquipmentID,
      EquipmentElectricity: sum(all),
      ConnectorStatsInfos: all.map(({ connectorId, wh }) => ({ ConnectorID: connectorId, ConnectorElectricity: kwhOf(wh) })),
    }))
    return { StationStats: { StationID: stationId, StartTime, EndTime, StationElectricity: sum(guns), EquipmentStatsInfos } }
  },
}

const queryEquipAuth: Interface = {
  name: 'query_equip_auth',
  asks: Side.demand,
  async answer({ tx, caller, said, at }) {
    const [EquipAuthSeq, ConnectorID] = [seqOf(said, 'EquipAuthSeq', caller), connectorOf(said)]
    const may = await mayCharge(tx, caller.platformId, ConnectorID, at)
    if (!may) throw new Wrong('there is no such connector')
    return { EquipAuthSeq, ConnectorID, SuccStat: may === 'yes' ? 0 : 1, FailReason: { yes: 0, unplugged: 1, no: 2 }[may] }
  },
}
const queryPolicy: Interface = {
  name: 'query_equip_business_policy',
  asks: Side.demand,
  async answer({ tx, caller, said, at }) {
    const [EquipBizSeq, ConnectorID] = [seqOf(said, 'EquipBizSeq', caller), connectorOf(said)]
    const place = await openPlace(tx, caller.platformId, ConnectorID)
    const runs = place && (await openPrices(tx, caller.platformId, place.stationId, at))
    if (!runs) return { EquipBizSeq, ConnectorID, SuccStat: 1, FailReason: 1, SumPeriod: 0, PolicyInfos: [] }
    const PolicyInfos = runs.map(({ from, elecPriceE4, servicePriceE4 }) => ({
      StartTime: `${from.replace(':', '')}00`,
      ElecPrice: priceOf(elecPriceE4),
      SevicePrice: priceOf(servicePriceE4),
    }))
    return { EquipBizSeq, ConnectorID, SuccStat: 0, FailReason: 0, SumPeriod: PolicyInfos.length, PolicyInfos }
  },
}

/** 1 no such device, 2 off line; beyond them our own: 3 taken, 4 no credit, 5 anything else that keeps it from starting. */
const WHY_NO_START: Record<string, number> = {
  'charging.partner-gun': 1,
  'charging.no-gun': 1,
  'charging.gun-away': 2,
  'charging.gun-taken': 3,
  'charging.gun-taken-meanwhile': 3,
  'charging.partner-credit': 4,
}
const startAnswer = ({ startChargeSeq, status, connectorId }: Pick<Charge, 'startChargeSeq' | 'status' | 'connectorId'>) => {
  const failed = status === ChargeStatus.failed
  return {
    StartChargeSeq: startChargeSeq,
    StartChargeSeqStat: seqStat(status),
    ConnectorID: connectorId,
    SuccStat: failed ? 1 : 0,
    FailReason: failed ? 5 : 0,
  }
}
const queryStart: Interface = {
  name: 'query_start_charge',
  asks: Side.demand,
  writes: true,
  async answer({ tx, caller, said, at }) {
    const [startChargeSeq, connectorId] = [seqOf(said, 'StartChargeSeq', caller), connectorOf(said)]
    const { platformId, operatorId } = caller
    return startAnswer(await startForPartner(tx, { platformId, partnerOperatorId: operatorId, startChargeSeq, connectorId, at }))
  },
  refused: (said, why) => ({
    ...{ StartChargeSeq: said['StartChargeSeq'], StartChargeSeqStat: NOT_KNOWN, ConnectorID: said['ConnectorID'], SuccStat: 1 },
    FailReason: WHY_NO_START[why.id] ?? 5,
  }),
}
const NOT_KNOWN = 5
const queryStatus: Interface = {
  name: 'query_equip_charge_status',
  asks: Side.demand,
  async answer({ tx, caller, said }) {
    const charge = await chargeOfPartner(tx, caller.platformId, seqOf(said, 'StartChargeSeq', caller))
    if (!charge) throw new Wrong('there is no such charging session')
    return progressWire(await progressOf(tx, charge))
  },
}
const queryStop: Interface = {
  name: 'query_stop_charge',
  asks: Side.demand,
  writes: true,
  async answer({ tx, caller, said, at }) {
    const StartChargeSeq = seqOf(said, 'StartChargeSeq', caller)
    const asked = await stopForPartner(tx, caller.platformId, StartChargeSeq, at)
    if (!asked) return { StartChargeSeq, StartChargeSeqStat: NOT_KNOWN, SuccStat: 1, FailReason: 1 }
    const { charge, over } = asked
    return { StartChargeSeq, StartChargeSeqStat: seqStat(charge.status), SuccStat: over ? 1 : 0, FailReason: over ? 3 : 0 }
  },
}

/** So many charges are one page; of a time with more of them, `OrderCount` says how many all its pages name. */
const CHECK_MAX = 500
const CHECK_DAYS_MAX = 31
/** A partner says what it has of a time: we answer with those that differ, as we have them. */
const checkOrders: Interface = {
  name: 'check_charge_orders',
  writes: true,
  async answer({ tx, caller, said, at }) {
    const CheckOrderSeq = seqOf(said, 'CheckOrderSeq', caller)
    const [StartTime, EndTime] = [text(said, 'StartTime', 19), text(said, 'EndTime', 19)]
    const [from, to] = [edgeIn(StartTime, 'first'), edgeIn(EndTime, 'last')]
    if (!from || !to || to < from) throw new Wrong('StartTime and EndTime are moments, the first one first')
    if (Date.parse(to) - Date.parse(from) > CHECK_DAYS_MAX * 86_400_000) throw new Wrong(`no more than ${CHECK_DAYS_MAX} days at once`)
    const named = said['ChargeOrders'] ?? []
    const theirs = theirCharges(named)
    if (!Array.isArray(named) || named.length > CHECK_MAX || chargesNamed(named).length < named.length)
      throw new Wrong(`ChargeOrders names up to ${CHECK_MAX} charging sessions, each by its StartChargeSeq`)
    const all = Math.max(theirs.length, Number(said['OrderCount']) || 0)
    const direction = ofOurDrivers(caller, theirs) ? Direction.payable : Direction.receivable
    const wrong = await compared(tx, { platformId: caller.platformId, direction, from, to, theirs, all, at })
    return { CheckOrderSeq, StartTime, EndTime, ...disputeWire(wrong) }
  },
}

/** Whose charges it names: a partner that has stations names those of our drivers, by numbers that we made; one that has both says by them which it means. */
const ofOurDrivers = ({ role, ownOperatorId }: Caller, theirs: readonly { startChargeSeq: string }[]) =>
  role === PlatformRole.operator ||
  (role === PlatformRole.both && theirs.length > 0 && theirs.every(({ startChargeSeq }) => startChargeSeq.startsWith(ownOperatorId)))

/** The interfaces that we serve: as an operator of stations, and as the side that has the drivers. */
export const interfaces: ReadonlyMap<string, Interface> = new Map(
  [
    queryToken,
    queryStationsInfo,
    queryStationStatus,
    queryStationStats,
    queryEquipAuth,
    queryPolicy,
    queryStart,
    queryStatus,
    queryStop,
    checkOrders,
    ...notifications,
  ].map((one) => [one.name, one]),
)
