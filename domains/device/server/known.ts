import { plural } from '../../../platform/contract/plural.ts'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { type Command, command, CommandState } from '../contract/command.ts'
import { device, type Device, DeviceType, DeviceUse, WarningState, WarningType } from '../contract/device.ts'
import { message } from '../contract/message.ts'

const DEVICES = '/assetManage/parkingAndFacility/device'
type DeviceRow = Pick<Of<typeof Device>, 'id' | 'deviceNo' | 'name' | 'type' | 'useStatus'> & {
  parkCode: string | null
  gateCode: string | null
  online: boolean | null
  at: Instant | null
}
type CommandRow = Pick<Of<typeof Command>, 'id' | 'method' | 'state' | 'createdAt' | 'gateCode'>
interface WarningRow {
  id: string
  type: keyof typeof WarningType.entries
  state: keyof typeof WarningState.entries
  count: number
  lastAt: Instant
}

export const known: Source[] = [
  sourceOf<DeviceRow>()({
    name: 'device.device',
    label: ['设备', 'Devices'],
    needs: device.find.needs,
    by: {
      code: {
        sql: `select d.id, d.device_no, d.name, d.type, d.use_status, d.park_code, d.gate_code, s.online, s.last_seen_at as at from device.device d
        left join device.presence s on s.enterprise_id = d.enterprise_id and s.device_no = d.device_no where d.enterprise_id = scope_enterprise() and d.device_no = $1 limit $2`,
      },
    },
    tell: ({ id, deviceNo, name, type, useStatus, parkCode, gateCode, online, at }) => {
      const place = [parkCode, gateCode].filter(Boolean).join(' ')
      const [zh, en] = DeviceType.entries[type]
      const [useZh, useEn] = DeviceUse.entries[useStatus]
      const [onZh, onEn] = online ? ['在线', 'online'] : ['离线', 'offline']
      return {
        key: id,
        title: deviceNo,
        zh: `${name}，${zh}，${place} ${useZh}，${onZh}`,
        en: `${name}, ${en}, ${place} ${useEn}, ${onEn}`,
        at,
        path: `${DEVICES}/${id}`,
      }
    },
  }),
  sourceOf<CommandRow>()({
    name: 'device.command',
    label: ['指令', 'Commands'],
    needs: command.query.needs,
    by: {
      code: {
        sql: 'select c.id, c.method, c.state, c.created_at, c.gate_code from device.command c where c.enterprise_id = scope_enterprise() and c.device_no = $1 order by c.created_at desc limit $2',
      },
    },
    tell: ({ id, method, state, createdAt, gateCode }) => {
      const [zh, en] = CommandState.entries[state]
      return { key: id, title: method, zh: `${gateCode ?? ''} ${zh}`.trim(), en: `${gateCode ?? ''} ${en}`.trim(), at: createdAt }
    },
  }),
  sourceOf<WarningRow>()({
    name: 'device.warning',
    label: ['预警', 'Warnings'],
    needs: message.warning.needs,
    by: {
      code: {
        sql: 'select w.id, w.type, w.state, w.count, w.last_at from device.warning w where w.enterprise_id = scope_enterprise() and w.device_no = $1 order by w.last_at desc limit $2',
      },
    },
    tell: ({ id, type, state, count, lastAt }) => {
      const [zh, en] = WarningType.entries[type]
      const [isZh, isEn] = WarningState.entries[state]
      return { key: id, title: zh, zh: `${isZh}，${count} 次`, en: `${en}: ${isEn}, ${count} ${plural(count, 'time')}`, at: lastAt }
    },
  }),
]
