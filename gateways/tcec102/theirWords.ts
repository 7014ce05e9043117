import { ConnectorStatus, ConnectorType, LockStatus, ParkStatus } from '../../domains/charging/contract/connector.ts'
import { StopReason } from '../../domains/charging/contract/session.ts'
import { StationStatus, StationType } from '../../domains/charging/contract/station.ts'
import type { BillSaid, TheirPrice, TheirProgress, TheirState, TheirStation } from '../../domains/charging/server/api.ts'
import type { Fen } from '../../platform/contract/field.ts'
import { parts, timeIn } from './codec.ts'
import { isReadable, readable, Wrong } from './words.ts'

/**
 * Translates the data of a partner with stations into the domain's words. A figure that is missing or unreadable counts as
 * unknown, never as zero.
 */
type Said = Record<string, unknown>
const KWH_DECIMALS = 3
const FEN_DECIMALS = 2
const PRICE_DECIMALS = 4

/** A code of a dictionary, as a number or as text; `undefined` where it has no such code. */
export function codeIn<S extends number>(dictionary: { entries: Record<S, unknown> }, value: unknown): S | undefined {
  const code = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : NaN
  return Object.hasOwn(dictionary.entries, code) ? (code as S) : undefined
}
const STAGES: Record<number, TheirProgress['stage']> = { 1: 'starting', 2: 'charging', 3: 'stopping', 4: 'ended', 5: 'unknown' }
export const stageOf = (value: unknown): TheirProgress['stage'] | undefined => STAGES[Number(value)]

const shortText = (value: unknown, max: number): string | null => {
  const text = typeof value === 'string' || typeof value === 'number' ? readable(String(value)).trim().slice(0, max).toWellFormed() : ''
  return text === '' ? null : text
}
const idIn = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= max && isReadable(value) ? value : undefined
const list = (value: unknown): Said[] =>
  Array.isArray(value) ? value.filter((one): one is Said => typeof one === 'object' && one !== null && !Array.isArray(one)) : []
const inRange = (value: unknown, most: number): number | undefined => {
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : NaN
  return Number.isFinite(number) && Math.abs(number) <= most ? number : undefined
}

/** A station without a name of its own, or that stands nowhere, is none. */
export function stationsOf(said: unknown): TheirStation[] {
  return list(said).flatMap((one) => {
    const stationId = idIn(one['StationID'], 20)
    const [stationLng, stationLat] = [inRange(one['StationLng'], 180), inRange(one['StationLat'], 90)]
    const stationName = shortText(one['StationName'], 100)
    if (!stationId || !stationName || stationLng === undefined || stationLat === undefined) return []
    return {
      ...{ stationId, stationName, stationLng, stationLat },
      operatorId: shortText(one['OperatorID'], 9) ?? '',
      address: shortText(one['Address'], 200) ?? '',
      serviceTel: shortText(one['ServiceTel'], 40),
      stationType: codeIn(StationType, one['StationType']) ?? StationType.other,
      stationStatus: codeIn(StationStatus, one['StationStatus']) ?? StationStatus.unknown,
      busineHours: shortText(one['BusineHours'], 100),
      parkFee: shortText(one['ParkFee'], 255),
      guns: list(one['EquipmentInfos']).flatMap(gunsOf),
    }
  })
}
function gunsOf(pile: Said): TheirStation['guns'] {
  const equipmentId = idIn(pile['EquipmentID'], 23)
  if (!equipmentId) return []
  return list(pile['ConnectorInfos']).flatMap((gun) => {
    const connectorId = idIn(gun['ConnectorID'], 26)
    if (!connectorId) return []
    return {
      ...{ equipmentId, connectorId },
      connectorName: shortText(gun['ConnectorName'], 30),
      connectorType: codeIn(ConnectorType, gun['ConnectorType']) ?? ConnectorType.other,
      power: Math.max(0, inRange(gun['Power'], 2_000) ?? inRange(pile['Power'], 2_000) ?? 0),
      parkNo: shortText(gun['ParkNo'], 10),
    }
  })
}
export const statesOf = (said: unknown): TheirState[] =>
  list(said).flatMap((station) =>
    list(station['ConnectorStatusInfos']).flatMap((gun) => {
      const [connectorId, status] = [idIn(gun['ConnectorID'], 26), codeIn(ConnectorStatus, gun['Status'])]
      if (!connectorId || status === undefined) return []
      const [parkStatus, lockStatus] = [codeIn(ParkStatus, gun['ParkStatus']), codeIn(LockStatus, gun['LockStatus'])]
      return { connectorId, status, parkStatus: parkStatus ?? ParkStatus.unknown, lockStatus: lockStatus ?? LockStatus.unknown }
    }),
  )
/** Prices of a day; one of them that cannot be read, and none of them is believed. */
export function pricesOf(said: unknown): TheirPrice[] {
  if (!Array.isArray(said) || said.length > PRICES_MAX) return []
  const prices = said.map((value): TheirPrice | undefined => {
    const [one = {}] = list([value])
    const from = /^([01]\d|2[0-3]):?([0-5]\d):?\d{2}$/.exec(String(one['StartTime']))
    const [elecPriceE4, servicePriceE4] = [amount(one['ElecPrice'], PRICE_DECIMALS), amount(one['SevicePrice'], PRICE_DECIMALS)]
    if (!from || elecPriceE4 === null || servicePriceE4 === null || elecPriceE4 > PRICE_MAX_E4 || servicePriceE4 > PRICE_MAX_E4) return undefined
    return { from: `${from[1]}:${from[2]}`, elecPriceE4, servicePriceE4 }
  })
  return prices.every((one) => one !== undefined) ? prices : []
}
/** A day has thirty-two of them by the standard, and half an hour is the shortest that anybody has. */
const PRICES_MAX = 48
/** A thousand yuan for a kWh: the most that a price may be anywhere here. */
const PRICE_MAX_E4 = 10_000_000

/** No charge has as much of anything: what is more is no figure. */
const AMOUNT_MAX = 2_147_483_647
const amount = (value: unknown, decimals: number): number | null => {
  const found = parts(value, decimals)
  return found === undefined || found < 0 || found > AMOUNT_MAX ? null : found
}
/** How far a charge is. */
export function progressOf(said: Said): TheirProgress {
  const stage = stageOf(said['StartChargeSeqStat']) ?? 'unknown'
  const soc = inRange(said['Soc'], 100)
  return {
    stage,
    startTime: timeIn(said['StartTime']) ?? null,
    endTime: stage === 'ended' ? (timeIn(said['EndTime']) ?? null) : null,
    energyWh: amount(said['TotalPower'], KWH_DECIMALS),
    elecFen: amount(said['ElecMoney'] ?? said['TotalElecMoney'], FEN_DECIMALS),
    serviceFen: amount(said['SeviceMoney'] ?? said['TotalSeviceMoney'], FEN_DECIMALS),
    soc: soc === undefined || soc <= 0 ? null : Math.round(soc),
  }
}
/** @throws Wrong where a figure is missing: a bill that cannot be read is none */
export function billOf(said: Said): Omit<BillSaid, 'platformId' | 'startChargeSeq' | 'connectorId'> {
  const need = <T>(value: T | null | undefined, name: string): T => {
    if (value === null || value === undefined) throw new Wrong(`${name} is missing or cannot be read`)
    return value
  }
  const money = (of: Said, name: string) => need(amount(of[name], FEN_DECIMALS), name)
  const time = (of: Said, name: string) => need(timeIn(of[name]), name)
  const lines = said['ChargeDetails'] ?? []
  if (!Array.isArray(lines) || list(lines).length !== lines.length || lines.length > LINES_MAX) throw new Wrong('ChargeDetails is no list of periods')
  return {
    startTime: time(said, 'StartTime'),
    endTime: time(said, 'EndTime'),
    energyWh: need(amount(said['TotalPower'], KWH_DECIMALS), 'TotalPower'),
    elecFen: money(said, 'TotalElecMoney'),
    serviceFen: money(said, 'TotalSeviceMoney'),
    totalFen: money(said, 'TotalMoney'),
    stopReason: codeIn(StopReason, said['StopReason']) ?? null,
    lines: list(lines).map((line) => ({
      from: time(line, 'DetailStartTime'),
      to: time(line, 'DetailEndTime'),
      wh: need(amount(line['DetailPower'], KWH_DECIMALS), 'DetailPower'),
      elecPriceE4: need(amount(line['ElecPrice'], PRICE_DECIMALS), 'ElecPrice'),
      servicePriceE4: need(amount(line['SevicePrice'], PRICE_DECIMALS), 'SevicePrice'),
      elecFen: money(line, 'DetailElecMoney') as Fen,
      serviceFen: money(line, 'DetailSeviceMoney') as Fen,
    })),
  }
}
/** A day has thirty-two runs of one price at most, and a charge a few days. */
const LINES_MAX = 200
