import {
  type Charge,
  ChargeStatus,
  type Check,
  type OpenGun,
  type OpenStation,
  type Progress,
  type TheirCharge,
} from '../../domains/charging/server/api.ts'
import { edgeIn } from '../../platform/contract/time.ts'
import { kwhOf, parts, priceOf, wireTime, yuanOf } from './codec.ts'
import { spoken } from '../../platform/contract/said.ts'

/** The domain's facts in the standard's names and units: kWh and yuan with two decimals, prices with four, the city's time. */
export const gunWire = ({ connectorId, status, parkStatus, lockStatus }: OpenGun) => ({
  ConnectorID: connectorId,
  Status: status,
  ParkStatus: parkStatus,
  LockStatus: lockStatus,
})

const COUNTRY = 'CN'
/** Fields that are not known are left out; nothing is made up. */
export const stationWire = (one: OpenStation) => ({
  StationID: one.stationId,
  OperatorID: one.operatorId,
  EquipmentOwnerID: one.equipmentOwnerId ?? one.operatorId,
  StationName: one.stationName,
  CountryCode: COUNTRY,
  AreaCode: one.regionCode.slice(0, 6),
  Address: one.address,
  ...(one.stationTel && { StationTel: one.stationTel }),
  ServiceTel: one.serviceTel,
  StationType: one.stationType,
  StationStatus: one.stationStatus,
  ParkNums: one.parkNums,
  StationLng: one.stationLng,
  StationLat: one.stationLat,
  ...(one.siteGuide && { SiteGuide: one.siteGuide }),
  Construction: one.construction,
  ...(one.matchCars && { MatchCars: one.matchCars }),
  ...(one.parkInfo && { ParkInfo: one.parkInfo }),
  BusineHours: one.busineHours,
  ...(one.parkFee && { ParkFee: one.parkFee }),
  ...(one.payment && { Payment: one.payment }),
  SupportOrder: 0,
  EquipmentInfos: one.piles.map((pile) => ({
    EquipmentID: pile.equipmentId,
    EquipmentName: pile.equipmentName,
    ...(pile.manufacturerId && { ManufacturerID: pile.manufacturerId }),
    ...(pile.manufacturerName && { ManufacturerName: pile.manufacturerName }),
    ...(pile.equipmentModel && { EquipmentModel: pile.equipmentModel }),
    ...(pile.productionDate && { ProductionDate: pile.productionDate }),
    EquipmentType: pile.equipmentType,
    Power: pile.power,
    ConnectorInfos: pile.guns.map((gun) => ({
      ConnectorID: gun.connectorId,
      ...(gun.connectorName && { ConnectorName: gun.connectorName }),
      ConnectorType: gun.connectorType,
      VoltageUpperLimits: gun.voltageUpper,
      VoltageLowerLimits: gun.voltageLower,
      Current: gun.current,
      Power: gun.power,
      ...(gun.parkNo && { ParkNo: gun.parkNo }),
      NationalStandard: gun.nationalStandard,
    })),
  })),
})

const [STARTING, CHARGING, STOPPING, ENDED, UNKNOWN] = [1, 2, 3, 4, 5] as const
const SEQ_STATS: Record<number, number> = {
  [ChargeStatus.waiting]: STARTING,
  [ChargeStatus.starting]: STARTING,
  [ChargeStatus.charging]: CHARGING,
  [ChargeStatus.stopping]: STOPPING,
  [ChargeStatus.abnormal]: UNKNOWN,
}
export const seqStat = (status: number): number => SEQ_STATS[status] ?? ENDED

const numbered = ({ startChargeSeq, status, connectorId }: Charge) => ({
  StartChargeSeq: startChargeSeq,
  StartChargeSeqStat: seqStat(status),
  ConnectorID: connectorId,
})
const details = (lines: Progress['lines']) =>
  lines.map(({ from, to, wh, elecPriceE4, servicePriceE4, elecFen, serviceFen }) => ({
    DetailStartTime: wireTime(from),
    DetailEndTime: wireTime(to),
    ElecPrice: priceOf(elecPriceE4),
    SevicePrice: priceOf(servicePriceE4),
    DetailPower: kwhOf(wh),
    DetailElecMoney: yuanOf(elecFen),
    DetailSeviceMoney: yuanOf(serviceFen),
  }))

/** How far a charge is; every phase draws what its pile says. */
export function progressWire({ charge, connectorStatus, measuredAt, currentMa, voltageDv, lines }: Progress) {
  const { startTime, endTime, energyWh, elecFen, serviceFen, soc } = charge
  return {
    ...numbered(charge),
    ConnectorStatus: connectorStatus,
    CurrentA: (currentMa ?? 0) / 1_000,
    VoltageA: (voltageDv ?? 0) / 10,
    Soc: soc ?? 0,
    StartTime: wireTime(startTime),
    EndTime: wireTime(endTime ?? measuredAt ?? startTime),
    TotalPower: kwhOf(energyWh),
    ElecMoney: yuanOf(elecFen),
    SeviceMoney: yuanOf(serviceFen),
    TotalMoney: yuanOf(elecFen + serviceFen),
    SumPeriod: lines.length,
    ChargeDetails: details(lines),
  }
}
export const startResultWire = (charge: Charge) => {
  const began = charge.status === ChargeStatus.charging || charge.status === ChargeStatus.stopping
  return {
    ...numbered(charge),
    StartTime: wireTime(charge.startTime),
    SuccStat: began ? 0 : 1,
    FailReason: began ? 0 : FAILED,
    ...(charge.failReason && !began && { FailReasonMsg: spoken(charge.failReason, 0) }),
  }
}
const FAILED = 5
export const stopResultWire = (charge: Charge) => ({ ...numbered(charge), SuccStat: 0, FailReason: 0 })

/** The final bill as the partner settles it. From 5 on the reasons are each operator's own, and ours are theirs. */
export function orderWire({ charge, lines }: Progress) {
  const { startChargeSeq, connectorId, startTime, endTime, energyWh, elecFen, serviceFen, stopReason } = charge
  return {
    StartChargeSeq: startChargeSeq,
    ConnectorID: connectorId,
    StartTime: wireTime(startTime),
    EndTime: wireTime(endTime ?? startTime),
    TotalPower: kwhOf(energyWh),
    TotalElecMoney: yuanOf(elecFen),
    TotalSeviceMoney: yuanOf(serviceFen),
    TotalMoney: yuanOf(elecFen + serviceFen),
    StopReason: stopReason ?? 0,
    SumPeriod: lines.length,
    ChargeDetails: details(lines),
  }
}

interface Sums {
  startChargeSeq: string
  wh: number
  fen: number
}
const chargeSums = ({ startChargeSeq, wh, fen }: Sums) => ({ StartChargeSeq: startChargeSeq, TotalPower: kwhOf(wh), TotalMoney: yuanOf(fen) })
/** Are these the charges of the day? */
export const checkWire = ({ checkSeq, day, orderCount, energyWh, amountFen }: Check, charges: readonly Sums[]) => ({
  CheckOrderSeq: checkSeq,
  StartTime: wireTime(edgeIn(day, 'first')),
  EndTime: wireTime(edgeIn(day, 'last')),
  OrderCount: orderCount,
  TotalOrderPower: kwhOf(energyWh),
  TotalOrderMoney: yuanOf(amountFen),
  ChargeOrders: charges.map(chargeSums),
})
/** Those of a check that we do not agree to, as we have them. */
export const disputeWire = (wrong: readonly Sums[]) => ({
  TotalDisputeOrder: wrong.length,
  TotalDisputePower: kwhOf(wrong.reduce((all, { wh }) => all + wh, 0)),
  TotalDisputeMoney: yuanOf(wrong.reduce((all, { fen }) => all + fen, 0)),
  DisputeOrders: wrong.map(chargeSums),
})
/** Charges as a partner names them; a figure that cannot be read is none, and never nought. One that is named twice is one charge, and where both differ nobody knows its figures. */
export const theirCharges = (named: unknown): TheirCharge[] =>
  [...Map.groupBy(chargesNamed(named), ({ startChargeSeq }) => startChargeSeq).values()].map(([first, ...twins]) =>
    twins.every(({ wh, fen }) => wh === first!.wh && fen === first!.fen) ? first! : { ...first!, wh: null, fen: null },
  )
/** As many as were named, unless one has no number. */
export const chargesNamed = (named: unknown): TheirCharge[] =>
  (Array.isArray(named) ? named : []).flatMap((one: Record<string, unknown> | null) => {
    const seq = one?.['StartChargeSeq']
    if (typeof seq !== 'string' || seq === '' || seq.length > SEQ_MAX || seq.includes('\0') || !seq.isWellFormed()) return []
    return [{ startChargeSeq: seq, wh: parts(one!['TotalPower'], KWH_DECIMALS) ?? null, fen: parts(one!['TotalMoney'], FEN_DECIMALS) ?? null }]
  })
const SEQ_MAX = 27
/** Some say watt hours. */
const KWH_DECIMALS = 3
const FEN_DECIMALS = 2
