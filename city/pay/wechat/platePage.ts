import { driverAt, newDriver, remembering } from '../driver.ts'
import { pageTo } from '../pages.ts'
import type { Plate } from '../store.ts'
import { type Asked, fieldsOf, type Told, told } from '../wire.ts'
import type { WechatContext } from './context.ts'
import { GREEN } from './look.ts'
import { COLORS, type Parking } from './parking.ts'

const COLOR_NAMES = {
  BLUE: ['蓝', 'Blue'],
  GREEN: ['绿', 'Green'],
  YELLOW: ['黄', 'Yellow'],
  BLACK: ['黑', 'Black'],
  WHITE: ['白', 'White'],
  LIMEGREEN: ['黄绿', 'Lime green'],
} as const
const STATES = { open: 'normal', pause: 'paused', end: 'ended' } as const
const isAct = (text: string | undefined): text is keyof typeof STATES => text !== undefined && text in STATES

/** Where a driver opens, pauses or ends the parking service for a car; a program sends JSON, with a limit if it likes. */
export function platePage(context: WechatContext, parking: Parking, asked: Asked): Told {
  const driver = driverAt(asked) ?? newDriver()
  if (asked.method !== 'POST') return remembering(form(asked), driver)
  const fields = fieldsOf(asked)
  const [plateNo, color, act] = [fields['plate_number'], fields['plate_color'], fields['act']]
  if (!plateNo || !COLORS.some((one) => one === color) || !isAct(act)) return told(400, { error: 'plate_number, plate_color, act' })
  const limit = Number(fields['limitFen'] ?? Infinity)
  const plate = context.store.setPlate({
    channel: 'wechat',
    plateNo,
    color: color!,
    payer: fields['driver'] ?? driver,
    state: STATES[act],
    limitFen: Number.isNaN(limit) ? Infinity : limit,
    isTrusted: fields['isTrusted'] === 'true',
  })
  parking.plateChanged(context, plate)
  return asked.headers['content-type']?.startsWith('application/json') ? told(200, { state: plate.state }) : remembering(form(asked, plate), driver)
}

const DONE = { normal: ['已开通', 'Open'], paused: ['已暂停', 'Paused'], ended: ['已关闭', 'Ended'] } as const
const form = (asked: Asked, plate?: Plate): Told =>
  pageTo(asked, {
    title: ['微信支付分停车服务（沙箱）', 'WeChat parking without a password (sandbox)'],
    color: GREEN,
    heading: plate?.plateNo ?? 'P',
    ...(plate && { note: DONE[plate.state] }),
    form: {
      to: '/wechat/parking',
      hidden: {},
      inputs: [
        { name: 'plate_number', label: ['车牌号', 'Plate'], value: plate?.plateNo ?? '' },
        { name: 'plate_color', label: ['车牌颜色', 'Colour of the plate'], options: COLORS.map((one) => [one, COLOR_NAMES[one]] as const) },
      ],
      acts: [
        { act: 'open', text: ['开通', 'Open the service'], isMain: true },
        { act: 'pause', text: ['暂停', 'Pause'] },
        { act: 'end', text: ['关闭', 'End'] },
      ],
    },
  })
