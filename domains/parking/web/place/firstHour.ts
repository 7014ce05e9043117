import type { Of } from '../../../../platform/contract/field.ts'
import type { Text } from '../../../../platform/web/text.ts'
import type { DeviceStatus } from '../../../device/contract/device.ts'
import { Direction, type GateDetail } from '../../contract/gate.ts'

/** Steps that a new park needs before it can earn anything, in order. */
export const STEPS = ['park', 'gates', 'devices', 'tariff', 'car'] as const
export type Step = (typeof STEPS)[number]
export const STEP_NAMES: Record<Step, Text> = {
  park: ['车场', 'Car park'],
  gates: ['通道', 'Lanes'],
  devices: ['设备', 'Devices'],
  tariff: ['收费规则', 'Fee rule'],
  car: ['通行测试', 'Test run'],
}

/** Things that the park has already. Undefined: not known yet, or not visible to this person. */
export interface There {
  gates: readonly Pick<Of<typeof GateDetail>, 'gateCode' | 'name' | 'direction' | 'online' | 'cameraId' | 'barrierId'>[] | undefined
  devices: readonly Pick<Of<typeof DeviceStatus>, 'deviceNo' | 'gateCode' | 'online'>[] | undefined
  /** The rule that a temporary car is charged by. */
  rule: string | undefined
  /** Some car has driven in and out. */
  drove: boolean
}

/** The directions in which no car can go yet. */
export function missingWays(gates: NonNullable<There['gates']>): Direction[] {
  const goes = (way: Direction) => gates.some(({ direction }) => direction === way || direction === Direction.both)
  return [Direction.entrance, Direction.exit].filter((way) => !goes(way))
}
type Direction = typeof Direction.entrance | typeof Direction.exit

/** A gate is told by the devices that its form names, or by those that stand at it. */
export type GateStands = 'none' | 'offline' | 'online'
export function standsAt({ gateCode, online, cameraId, barrierId }: NonNullable<There['gates']>[number], devices: There['devices']): GateStands {
  const own = devices?.filter((one) => one.gateCode === gateCode || one.deviceNo === cameraId || one.deviceNo === barrierId) ?? []
  if (online || own.some((one) => one.online)) return 'online'
  return own.length > 0 || cameraId || barrierId ? 'offline' : 'none'
}

/** Nothing of this is stored: a person who resumes finds what is there. */
export const isDone: Record<Step, (there: There) => boolean> = {
  park: () => true,
  gates: ({ gates }) => gates !== undefined && missingWays(gates).length === 0,
  devices: ({ gates, devices }) => gates !== undefined && gates.length > 0 && gates.every((one) => standsAt(one, devices) === 'online'),
  tariff: ({ rule }) => rule !== undefined,
  car: ({ drove }) => drove,
}
/** The first that is not done. */
export const nextOf = (there: There): Step | undefined => STEPS.find((step) => !isDone[step](there))

/** The next free code of a gate: P013-G01, P013-G02. */
export function freeCode(parkCode: string, gates: NonNullable<There['gates']>): string {
  const taken = new Set(gates.map(({ gateCode }) => gateCode))
  for (let n = gates.length + 1; ; n++) {
    const code = `${parkCode}-G${String(n).padStart(2, '0')}`
    if (!taken.has(code)) return code
  }
}
