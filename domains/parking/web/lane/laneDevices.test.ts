import { expect, test } from 'vitest'
import { DeviceType } from '../../../device/contract/device.ts'
import { type Choice, choicesOf } from './laneDevices.ts'

const device = (deviceNo: string, type: Choice['type'], usedBy: string | null = null): Choice => ({
  deviceNo,
  name: deviceNo,
  type,
  online: true,
  usedBy,
})
const DEVICES = [
  device('B1', DeviceType.barrier, 'G1'),
  device('B2', DeviceType.barrier),
  device('C1', DeviceType.camera, 'G2'),
  device('C2', DeviceType.camera),
  device('L1', DeviceType.led),
]
const offered = (...of: [part: Parameters<typeof choicesOf>[1], gateCode?: string]) =>
  choicesOf(DEVICES, of[0], of[1]).map(({ deviceNo, usedBy }) => (usedBy ? `${deviceNo} of ${usedBy}` : deviceNo))

test('only what can do it is offered, and a barrier can be all three', () => {
  expect(offered('barrier')).toEqual(['B2', 'B1 of G1'])
  expect(offered('camera')).toEqual(['B2', 'C2', 'B1 of G1', 'C1 of G2'])
  expect(offered('led')).toEqual(['B2', 'L1', 'B1 of G1'])
})
test("a gate's own device is free for it", () => {
  expect(offered('barrier', 'G1')).toEqual(['B1', 'B2'])
  expect(offered('camera', 'G2')).toEqual(['B2', 'C1', 'C2', 'B1 of G1'])
})
