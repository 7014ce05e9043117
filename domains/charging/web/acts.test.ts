import { expect, test } from 'vitest'
import { ConnectorStatus } from '../contract/connector.ts'
import { pileCommand } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'
import { AdminStatus } from '../contract/pile.ts'
import { adjusts, closes, enablesFaulty, isForNow, refunds } from './acts.ts'

test('a button that moves money says how much and to whom, once it is typed', () => {
  expect(refunds(undefined)[0]).toBe('申请退款')
  expect(refunds(1_250)[0]).toBe('申请退款 ¥12.50')
  expect(adjusts(undefined)[0]).toBe('调整账单')
  expect(adjusts(-300)).toEqual(['退给车主 ¥3.00', 'Return ¥3.00 to the driver'])
  expect(adjusts(300)).toEqual(['减免 ¥3.00', 'Waive ¥3.00'])
})

test('whoever closes a charge by hand is told the start reading as the field takes it, in kWh to the last Wh', () => {
  expect(closes(1_629_783).join()).toMatch(/填 1629\.783 kWh（起始底度）.*Enter 1629\.783 kWh \(the start reading\)/)
  expect(closes(null).join()).not.toMatch(/起始底度|start reading/)
})

test('a charge is begun at a gun without one, stopped where it runs, and a held plug let go where none does', () => {
  const { charging, plugged, faulty, free, offline } = ConnectorStatus
  const states = [charging, plugged, faulty, free, offline]
  const statesFor = (call: unknown, orderStatus: number | null = null) => states.filter((status) => isForNow({ status, orderStatus }, call))
  expect(statesFor(pileCommand.remoteStop)).toEqual([charging])
  expect(statesFor(pileCommand.unlock)).toEqual([plugged, faulty])
  expect(statesFor(pileCommand.remoteStart)).toEqual([plugged, free])
  expect(statesFor(pileCommand.remoteStart, ChargeStatus.starting)).toEqual([])
  expect(statesFor(pileCommand.reset)).toEqual([])
  expect(statesFor(pileCommand.remoteStop, ChargeStatus.charging)).toEqual([charging, faulty])
})

test('a pile that is still faulty is put back in use only after a question that counts its faults', () => {
  const pile = { equipmentId: 'P001', faultCount: 3 }
  expect(enablesFaulty(pile, AdminStatus.enabled)).toEqual([
    'P001 还有 3 条未恢复故障，仍要启用？',
    'P001 has 3 open faults. Enable it all the same?',
  ])
  expect(enablesFaulty(pile, AdminStatus.disabled)).toBeUndefined()
  expect(enablesFaulty({ ...pile, faultCount: 0 }, AdminStatus.enabled)).toBeUndefined()
})
