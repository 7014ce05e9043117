import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { sendInner } from '../../message/server/api.ts'
import { WarningType } from '../contract/device.ts'
import { menu } from '../contract/menu.ts'
import { calls as command } from './command.ts'
import { calls as ofDevices } from './device.ts'
import { warned } from './events.ts'
import { calls as logSheet } from './logSheet.ts'
import { calls as message, tasks } from './message.ts'
import { calls as picture, takePicturesIn } from './picture.ts'
import { calls as product } from './product.ts'
import { records } from './records.ts'
import { nouns } from './nouns.ts'

/** From this level on, whoever watches devices gets a message and not only a line in a list. */
const TELL_FROM = 4

export const device: Domain = {
  name: 'device',
  calls: [...ofDevices, ...product, ...command, ...message, ...logSheet, ...picture],
  menu,
  records,
  nouns,
  tasks,
  start(house) {
    takePicturesIn(house)
    on(warned, 'device.tell', async ({ tx, data }) => {
      if (data.level < TELL_FROM) return
      const [zh, en] = WarningType.entries[data.type as keyof typeof WarningType.entries]
      const place = data.gateCode ?? data.sn
      await sendInner(tx, {
        to: { capability: 'device:device:view' },
        title: [`${place}：${zh}`, `${place}: ${en}`],
        body: [data.subject, data.subject],
        link: '/appManage/device/warningRecord',
      })
    })
  },
}
