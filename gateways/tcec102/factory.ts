import { expect, vi } from 'vitest'
import { aGarage, type Garage } from '../../domains/owner/server/testing.ts'
import { openSession } from '../../domains/owner/server/api.ts'
import { fetchFrom } from '../../domains/charging/server/roaming/fetch.ts'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { cityTime, instantAt } from '../../platform/contract/time.ts'
import { aPeer, type Peer } from './testing.ts'

/** Our drivers at a partner's guns: the driver by HTTP, the partner by its own server. */
export let yard: Yard
export let garage: Garage
const peers: Peer[] = []
export async function openRoaming(): Promise<void> {
  yard = await aYard()
  garage = await aGarage(yard)
}
export async function closeRoaming(): Promise<void> {
  for (const one of peers) await one.close()
  await yard?.close()
}
export const until = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 15_000, interval: 50 })
export const MINUTE = 60_000
export const ago = (minutes: number) => cityTime(instantAt(Date.now() - minutes * MINUTE))

let stations = 0
/** A partner with two guns at one price all day: 0.60 electricity, 0.40 service. */
export async function anOperator(more: Parameters<typeof aPeer>[1] = {}) {
  const peer = await aPeer(yard, { role: 2, ...more })
  peers.push(peer)
  const station = `W${++stations}`
  const guns = [`${station}-1`, `${station}-2`]
  const plate = (ConnectorID: string) => ({
    ConnectorID,
    ConnectorType: 4,
    VoltageUpperLimits: 750,
    VoltageLowerLimits: 200,
    Current: 250,
    Power: 60,
    NationalStandard: 2,
  })
  const info = {
    StationID: station,
    OperatorID: 'MA9999999',
    StationName: `站 ${station}`,
    Address: '西路1号',
    ServiceTel: '4000000000',
    StationType: 1,
    StationStatus: 50,
    StationLng: 112.14,
    StationLat: 32.04,
  }
  peer.answers['query_stations_info'] = {
    PageCount: 1,
    StationInfos: [{ ...info, EquipmentInfos: [{ EquipmentID: `${station}-E`, ConnectorInfos: guns.map(plate) }] }],
  }
  peer.answers['query_station_status'] = {
    StationStatusInfos: [
      { StationID: station, ConnectorStatusInfos: guns.map((ConnectorID) => ({ ConnectorID, Status: 2, ParkStatus: 50, LockStatus: 10 })) },
    ],
  }
  peer.answers['query_equip_business_policy'] = { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.6, SevicePrice: 0.4 }] }
  peer.answers['query_start_charge'] = ({ StartChargeSeq, ConnectorID }) => ({
    StartChargeSeq,
    ConnectorID,
    StartChargeSeqStat: 1,
    SuccStat: 0,
    FailReason: 0,
  })
  peer.answers['query_stop_charge'] = ({ StartChargeSeq }) => ({ StartChargeSeq, StartChargeSeqStat: 3, SuccStat: 0, FailReason: 0 })
  await fetchFrom(yard.write, peer.platformId, { whole: true })
  return { peer, guns, gun: guns[0]! }
}
export async function aDriver(payFen = 10_000) {
  const { ownerId } = await garage.anOwner('王芳')
  await garage.recharge(ownerId, payFen)
  const token = await yard.write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
  const mine = (what: string, body: object = {}) => yard.server.ask(token, 'POST', `/lbs/charging/mine/${what}`, body)
  return { ownerId, mine, stands: () => garage.stands(ownerId) }
}
export type Driver = Awaited<ReturnType<typeof aDriver>>
export type There = Awaited<ReturnType<typeof anOperator>>
export async function starts(driver: Driver, { peer, gun }: There, more: object = {}) {
  const { status, data, message } = await driver.mine('start', { platformId: peer.platformId, connectorId: gun, ...more })
  if (status !== 200) throw new Error(`${status} ${message}`)
  const seq = peer.heard.findLast(({ name }) => name === 'query_start_charge')!.data.StartChargeSeq as string
  return { id: data.id as string, seq, data }
}
export const decide = (who: string, id: string, more: object) =>
  yard.server.ask<any>(who, 'POST', '/lbs/charging/roaming/settleDecide', { id, ...more })
export const row = async (id: string) => (await yard.sql<any>('select * from charging.roaming where id = $1', [id]))[0]
export const began = (seq: string, ConnectorID: string, minutes = 0) => ({
  StartChargeSeq: seq,
  StartChargeSeqStat: 2,
  ConnectorID,
  StartTime: ago(minutes),
  IdentCode: '1234',
  SuccStat: 0,
  FailReason: 0,
})
export const course = (seq: string, ConnectorID: string, kwh: number, more = {}) => ({
  ...{
    StartChargeSeq: seq,
    StartChargeSeqStat: 2,
    ConnectorID,
    ConnectorStatus: 3,
    CurrentA: 80,
    VoltageA: 380,
    Soc: 50,
    StartTime: ago(0),
    EndTime: ago(0),
    TotalPower: kwh,
  },
  ...{ ElecMoney: kwh * 0.6, SeviceMoney: kwh * 0.4, TotalMoney: kwh, ...more },
})
export const cents = (value: number) => Math.round(value * 100) / 100
export const bill = (seq: string, ConnectorID: string, kwh: number, more = {}) => ({
  ...{
    StartChargeSeq: seq,
    ConnectorID,
    StartTime: ago(0),
    EndTime: cityTime(instantAt(Date.now() + 9 * MINUTE)),
    TotalPower: kwh,
    TotalElecMoney: cents(kwh * 0.6),
    TotalSeviceMoney: cents(kwh * 0.4),
    TotalMoney: kwh,
  },
  ...{
    StopReason: 2,
    SumPeriod: 1,
    ChargeDetails: [
      {
        DetailStartTime: ago(0),
        DetailEndTime: ago(0),
        ElecPrice: 0.6,
        SevicePrice: 0.4,
        DetailPower: kwh,
        DetailElecMoney: cents(kwh * 0.6),
        DetailSeviceMoney: cents(kwh * 0.4),
      },
    ],
  },
  ...more,
})
const OWED = `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where account = 'liability.partner' and sub = $1`
export const owed = async ({ peer }: There) => Number((await yard.sql<any>(OWED, [`platform:${peer.platformId}`]))[0].fen)
export const rights = async () => {
  expect(await garage.differing()).toEqual([])
  expect((await yard.replay()).right).toBe(true)
}
