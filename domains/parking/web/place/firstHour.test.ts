import { expect, test } from 'vitest'
import { Direction } from '../../contract/gate.ts'
import { freeCode, missingWays, nextOf, standsAt, type There } from './firstHour.ts'

const gate = (gateCode: string, direction: 1 | 2 | 3, online = false) => ({
  gateCode,
  name: gateCode,
  direction,
  online,
  cameraId: null,
  barrierId: null,
})
const at = (deviceNo: string, gateCode: string, online = false) => ({ deviceNo, gateCode, online })
const NOTHING: There = { gates: [], devices: [], rule: undefined, drove: false }

test('what comes next is the first thing that is not there', () => {
  expect(nextOf(NOTHING)).toBe('gates')
  const gates = [gate('P9-G01', 1), gate('P9-G02', 2)]
  expect(nextOf({ ...NOTHING, gates })).toBe('devices')
  const devices = [at('D1', 'P9-G01', true), at('D2', 'P9-G02', true)]
  expect(nextOf({ ...NOTHING, gates, devices })).toBe('tariff')
  expect(nextOf({ ...NOTHING, gates, devices, rule: '标准' })).toBe('car')
  expect(nextOf({ gates, devices, rule: '标准', drove: true })).toBeUndefined()
})
test('an entrance alone lets nobody out; a gate both ways is both', () => {
  expect(missingWays([gate('A', 1)])).toEqual([Direction.exit])
  expect(missingWays([gate('A', 3)])).toEqual([])
  expect(missingWays([])).toEqual([Direction.entrance, Direction.exit])
})
test('a gate has the device that its form names or that stands at it, and is ready when one of them is online', () => {
  expect(standsAt(gate('A', 1), [at('D', 'B', true)])).toBe('none')
  expect(standsAt(gate('A', 1), [at('D', 'A')])).toBe('offline')
  expect(standsAt({ ...gate('A', 1), cameraId: 'D' }, [at('D', 'B', true)])).toBe('online')
  expect(standsAt({ ...gate('A', 1), barrierId: 'D' }, undefined)).toBe('offline')
  expect(standsAt(gate('A', 1, true), undefined)).toBe('online')
})
test('the code that is proposed is free', () => {
  expect(freeCode('P9', [])).toBe('P9-G01')
  expect(freeCode('P9', [gate('P9-G02', 1)])).toBe('P9-G03')
  expect(freeCode('P9', [gate('P9-G02', 1), gate('X', 2), gate('P9-G03', 2)])).toBe('P9-G04')
})
