import type { Generated } from 'kysely'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import type { LampAlarm } from '../contract/alarm.ts'
import type { Box, BoxLine } from '../contract/box.ts'
import type { Lamp, LampLine } from '../contract/lamp.ts'
import type { Timer } from '../contract/timer.ts'
import type { LampCommand, Wiring, WiringLine } from '../contract/wiring.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Seen = { enterpriseId: number }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'lamp.box': Filled<Of<typeof Box>, Row | 'useState' | 'ratioCt' | 'remark' | 'regionCode' | 'gatewayNo' | 'meterNo'> & Scoped
    'lamp.boxLine': Of<typeof BoxLine> & Seen
    'lamp.wiring': Filled<
      Of<typeof Wiring>,
      Row | 'mode' | 'ratioCt' | 'lossPermille' | 'leakW' | 'cable' | 'remark' | 'taggedBy' | 'taggedName' | 'tagReason'
    > &
      Scoped
    'lamp.wiringLine': Of<typeof WiringLine> & Seen
    'lamp.lamp': Filled<Of<typeof Lamp>, Row | 'poleNo' | 'lng' | 'lat' | 'remark'> & Scoped
    'lamp.lampLine': Of<typeof LampLine> & Seen
    'lamp.timer': Filled<Of<typeof Timer>, Row | 'status' | 'luxBelow'> & Scoped & { deleted: Generated<boolean> }
    'lamp.command': Filled<
      Of<typeof LampCommand>,
      'id' | 'createdAt' | 'cmdState' | 'failure' | 'sentAt' | 'ackedAt' | 'finishedAt' | 'untilAt' | 'reason'
    > &
      Scoped & { actorId: string | null; deviceCommand: string | null }
    'lamp.alarm': Filled<
      Of<typeof LampAlarm>,
      Row | 'state' | 'count' | 'value' | 'recoveredAt' | 'handledName' | 'workOrderNo' | 'remark' | 'wiringId' | 'wiringCode'
    > &
      Scoped
    'lamp.boxNow': Scoped & {
      boxCode: string
      door: number | null
      lux: number | null
      luxAt: Instant | null
      register: number | null
      registerAt: Instant | null
      saidAt: Instant | null
      plan: Generated<unknown>
      planVersion: Generated<number>
      planSent: Generated<number>
      planSentAt: Instant | null
      planCommand: string | null
      planAcked: Generated<number>
      planNight: Day | null
      planDue: Generated<boolean>
    }
  }
}
