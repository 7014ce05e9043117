import { among, id, instant, personal, plate, text, whole } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { PassStatus, PassWindow } from '../contract/pass.ts'
import { ListEntry } from '../contract/whiteBlack.ts'

const startAt = instant('开始时间', 'From')
const endAt = instant('结束时间', 'Until')

export const nouns: Noun[] = [
  { table: 'member.list', entity: ListEntry },
  {
    table: 'member.pass',
    label: ['月卡', 'Pass'],
    also: {
      holder: text('持卡人', 'Holder'),
      phone: personal('phone', text('手机号', 'Phone')),
      seats: whole('车位数', 'Bays'),
      timeWindow: among('可用时段', 'Hours', PassWindow),
      startAt,
      endAt,
      state: among('状态', 'State', PassStatus),
    },
  },
  {
    table: 'member.pass_car',
    label: ['月卡车辆', 'Car of a pass'],
    also: {
      passId: id('月卡', 'Pass'),
      plateNo: plate(),
      plateColor: among('车牌颜色', 'Plate colour', PlateColor),
      hours: text('可用时段', 'Hours'),
      startAt,
      endAt,
    },
  },
]
