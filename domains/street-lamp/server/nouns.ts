import { yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { LampAlarm } from '../contract/alarm.ts'
import { Box } from '../contract/box.ts'
import { Lamp } from '../contract/lamp.ts'
import { Timer } from '../contract/timer.ts'
import { Wiring } from '../contract/wiring.ts'

export const nouns: Noun[] = [
  { table: 'lamp.box', entity: Box },
  { table: 'lamp.wiring', entity: Wiring },
  { table: 'lamp.lamp', entity: Lamp },
  { table: 'lamp.timer', entity: Timer, also: { deleted: yes('已删除', 'Deleted') } },
  { table: 'lamp.alarm', entity: LampAlarm },
]
