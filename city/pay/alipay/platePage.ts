import { driverAt, newDriver, remembering } from '../driver.ts'
import { pageTo } from '../pages.ts'
import type { Plate } from '../store.ts'
import { type Asked, fieldsOf, type Told, told } from '../wire.ts'
import type { AlipayContext } from './context.ts'
import { BLUE } from './driver.ts'
import { COLORS } from './parking.ts'

const COLOR_NAMES = {
  blue: ['蓝', 'Blue'],
  green: ['绿', 'Green'],
  yellow: ['黄', 'Yellow'],
  white: ['白', 'White'],
  black: ['黑', 'Black'],
  limegreen: ['黄绿', 'Lime green'],
} as const

/** Where a driver agrees to debits for a car, or ends them; a program sends JSON, with a limit if it likes. */
export function platePage({ store }: AlipayContext, asked: Asked): Told {
  const driver = driverAt(asked) ?? newDriver()
  if (asked.method !== 'POST') return remembering(form(asked), driver)
  const fields = fieldsOf(asked)
  const [plateNo, color, act] = [fields['car_number'], fields['car_number_color'] ?? 'blue', fields['act']]
  if (!plateNo || !COLORS.some((one) => one === color) || (act !== 'open' && act !== 'end'))
    return told(400, { error: 'car_number, car_number_color, act' })
  const limit = Number(fields['limitFen'] ?? Infinity)
  const limitFen = Number.isNaN(limit) ? Infinity : limit
  const plate = store.setPlate({ channel: 'alipay', plateNo, color, payer: driver, state: act === 'open' ? 'normal' : 'ended', limitFen })
  return asked.headers['content-type']?.startsWith('application/json') ? told(200, { state: plate.state }) : remembering(form(asked, plate), driver)
}

const form = (asked: Asked, plate?: Plate): Told =>
  pageTo(asked, {
    title: ['支付宝停车无感支付（沙箱）', 'Alipay parking without asking (sandbox)'],
    color: BLUE,
    heading: plate?.plateNo ?? 'P',
    ...(plate && { note: plate.state === 'normal' ? (['已开通', 'Open'] as const) : (['已关闭', 'Ended'] as const) }),
    form: {
      to: '/alipay/parking',
      hidden: {},
      inputs: [
        { name: 'car_number', label: ['车牌号', 'Plate'], value: plate?.plateNo ?? '' },
        { name: 'car_number_color', label: ['车牌颜色', 'Colour of the plate'], options: COLORS.map((one) => [one, COLOR_NAMES[one]] as const) },
      ],
      acts: [
        { act: 'open', text: ['同意开通', 'Agree'], isMain: true },
        { act: 'end', text: ['关闭', 'End'] },
      ],
    },
  })
