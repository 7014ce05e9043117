import type { Domain } from '../../../platform/server/domain.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { announce, on } from '../../../platform/server/events.ts'
import type { CodeOf } from '../../../platform/contract/field.ts'
import { WarningLevel, WarningType } from '../contract/device.ts'
import { notice } from '../../system/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as command } from './command.ts'
import { calls as deviceSheet } from './deviceSheet.ts'
import { calls as etc } from './etc.ts'
import { calls as ofDevices } from './device.ts'
import { placeName, type Warned, warned } from './events.ts'
import { calls as logSheet } from './logSheet.ts'
import { calls as message, tasks } from './message.ts'
import { calls as picture, takePicturesIn } from './picture.ts'
import { calls as product } from './product.ts'
import { records } from './records.ts'
import { nouns } from './nouns.ts'
import { calls as warningRule } from './warningRule.ts'
import { known } from './known.ts'

/** From this level on the people who watch devices get a message, where no rule names others. */
const TELL_FROM = WarningLevel.critical
/** `MessageKind`: an alarm of a device. */
const ALARM = 2

export const device: Domain = {
  name: 'device',
  known,
  calls: [...ofDevices, ...product, ...command, ...message, ...logSheet, ...picture, ...deviceSheet, ...etc, ...warningRule],
  menu,
  records,
  nouns,
  tasks,
  start(house) {
    takePicturesIn(house)
    on(warned, 'device.tell', ({ tx, data }) => tellOf(tx, data))
  },
}

/** Told with the name of the place, ahead of everything else, with a link to where it can be dealt with. */
async function tellOf(tx: Tx, { level, type, parkCode, gateCode, sn, people, roles }: Warned): Promise<void> {
  const named = people.length > 0 || roles.length > 0
  if (!named && level < TELL_FROM) return
  const [zh, en] = WarningType.entries[type as CodeOf<typeof WarningType>]
  const [stands] = parkCode === null ? [] : await placeName.ask(tx, { parkCode, gateCode })
  const place = stands?.answer ?? gateCode ?? sn
  const atLane = gateCode !== null && type === WarningType.paidButShut
  await announce(tx, notice, {
    ...(named ? { people, roles } : { capability: 'device:device:view', parkCode }),
    title: [`${place}：${zh}`, `${place}: ${en}`],
    body: atLane
      ? ['车主已缴费，道闸未确认开启，请到「车道看板」开闸', 'The driver has paid but the barrier has not confirmed. Open it from the “Lane board”.']
      : [`设备 ${sn}`, `Device ${sn}`],
    link: atLane ? `/operation/laneBoard?gate=${encodeURIComponent(gateCode)}` : '/appManage/device/warningRecord',
    urgent: level >= TELL_FROM,
    kind: ALARM,
  })
}
