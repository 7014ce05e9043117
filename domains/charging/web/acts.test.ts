import { expect, test } from 'vitest'
import { ConnectorStatus } from '../contract/connector.ts'
import { pileCommand } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'
import { adjusts, isForNow, refunds } from './acts.ts'

test('a button that moves money says how much and to whom, once it is typed', () => {
  expect(refunds(undefined)[0]).toBe('申请退款')
  expect(refunds(1_250)[0]).toBe('申请退款 ¥12.50')
  expect(adjusts(undefined)[0]).toBe('调整账单')
  expect(adjusts(-300)).toEqual(['退给车主 ¥3.00', 'Return ¥3.00 to the driver'])
  expect(adjusts(300)).toEqual(['减免 ¥3.00', 'Waive ¥3.00'])
})

test('a charge is stopped where it runs, and a held plug let go where none does', () => {
  const { charging, plugged, faulty, free, offline } = ConnectorStatus
  const states = [charging, plugged, faulty, free, offline]
  const statesFor = (call: unknown, orderStatus: number | null = null) => states.filter((status) => isForNow({ status, orderStatus }, call))
  expect(statesFor(pileCommand.remoteStop)).toEqual([charging])
  expect(statesFor(pileCommand.unlock)).toEqual([plugged, faulty])
  expect(statesFor(pileCommand.reset)).toEqual([])
  expect(statesFor(pileCommand.remoteStop, ChargeStatus.charging)).toEqual([charging, faulty])
})
