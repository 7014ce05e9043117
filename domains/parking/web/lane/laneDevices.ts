import type { Of } from '../../../../platform/contract/field.ts'
import { DeviceType } from '../../../device/contract/device.ts'
import type { GateDevice } from '../../contract/gate.ts'

export type Choice = Of<typeof GateDevice>
export type Part = 'barrier' | 'camera' | 'led'
/** A barrier that is one device with its camera and its sign is registered as the barrier. */
const SERVES: Record<Part, readonly number[]> = {
  barrier: [DeviceType.barrier],
  camera: [DeviceType.camera, DeviceType.barrier],
  led: [DeviceType.led, DeviceType.barrier],
}

/** Returns the devices that fit this part of the lane, free ones first; a device of this gate counts as free. */
export function choicesOf(devices: readonly Choice[], part: Part, gateCode: string | undefined): Choice[] {
  const fit = devices.filter(({ type }) => SERVES[part].includes(type)).map((one) => (one.usedBy === gateCode ? { ...one, usedBy: null } : one))
  return [...fit.filter(({ usedBy }) => usedBy === null), ...fit.filter(({ usedBy }) => usedBy !== null)]
}
