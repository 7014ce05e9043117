import { isPlate, normalizePlate } from '../../platform/contract/plate.ts'
import { keys, PLATE_MAX } from '../driver/keys.ts'
import { node } from '../driver/node.ts'
import { clock, say, yuan } from '../driver/say.ts'
import type { CarInside, Given, Home } from './ask.ts'
import { lookPart, stands } from './inside.ts'
import { canScan, scan } from './scan.ts'
import { alarm } from './signIn.ts'

export interface Giving {
  home: Home
  plate: string
  last: Given | undefined
  busy: boolean
  trouble: string
  type(plate: string): void
  say(trouble: string): void
  give(soldId: string): void
  /** A code for the guest to scan, instead of a plate typed here. */
  show(soldId: string): void
  takeBack(given: Given): void
  /** Cars inside that end as was asked; left out while nothing was asked. */
  ending: string
  cars: readonly CarInside[] | undefined
  look(ending: string): void
  keep(ending: string): void
  recharge(): void
}

/** A plate, then a coupon: the second tap gives it. */
export function givePage(of: Giving): Node[] {
  const { home, plate, busy, trouble, last } = of
  const coupons = node('div', { className: 'coupons', role: 'group', ariaLabel: say(['选择优惠券', 'Choose a coupon']) })
  const buttons = home.sales.map(({ soldId, name, worthZh, worthEn, leftQty, holdsFen }) => {
    const left = say([`剩 ${leftQty} 张`, `${leftQty} left`])
    const held = holdsFen > 0 ? ` · ${say([`每张占用 ${yuan(holdsFen)}`, `${yuan(holdsFen)} held per coupon`])}` : ''
    return node(
      'button',
      {
        type: 'button',
        className: 'coupon',
        disabled: busy || (plate !== '' && !isPlate(plate)),
        onclick: () => (plate === '' ? of.show(soldId) : of.give(soldId)),
      },
      node('b', { textContent: say([worthZh, worthEn]) }),
      node('span', { textContent: name }),
      node('small', { textContent: left + held }),
      plate === '' && node('small', { textContent: say(['出示二维码', 'Show QR code']) }),
    )
  })
  const field = node('input', {
    value: plate,
    inputMode: 'none',
    maxLength: PLATE_MAX,
    spellcheck: false,
    placeholder: say(['车牌号', 'Plate']),
    ariaLabel: say(['车牌号', 'Plate']),
  })
  field.autocomplete = 'off'
  // Typing redraws nothing else: the field would lose its cursor.
  field.addEventListener('input', () => {
    const typed = normalizePlate(field.value)
    of.say('')
    // Half a plate is no plate: the coupon is not shown as a code instead.
    for (const one of buttons) one.disabled = busy || (typed !== '' && !isPlate(typed))
    if (isPlate(typed)) of.type(typed)
  })
  coupons.append(...buttons)
  const none = say(['没有可发的优惠券，请联系车场购券', 'No coupons left: contact the car park to buy more'])
  const scanning = node('button', {
    type: 'button',
    className: 'second',
    textContent: say(['扫码', 'Scan']),
    onclick: () => void scan(of.type, of.say),
  })
  return [
    figures(home),
    node('button', { type: 'button', className: 'quiet', textContent: say(['充值', 'Recharge']), onclick: of.recharge }),
    plate === '' && home.sales.length > 0 && lookPart({ ...of, take: of.type }),
    last !== undefined && done(last, of),
    node(
      'section',
      {},
      node('div', { className: 'asked' }, field, canScan && scanning),
      isPlate(plate) && stands(plate, of.cars),
      home.sales.length > 0 ? coupons : node('p', { className: 'aside', textContent: none }),
      alarm(trouble),
    ),
    !isPlate(plate) && home.sales.length > 0 && keys(plate, of.type),
    isPlate(plate) &&
      node('button', { type: 'button', className: 'quiet', textContent: say(['换一个车牌', 'Another plate']), onclick: () => of.type('') }),
  ].filter((one): one is HTMLElement => one !== false)
}

function figures({ balanceFen, quotaFen, usedFen, heldFen, today }: Home): HTMLElement {
  const one = (text: string, value: string) => node('div', {}, node('dt', { textContent: text }), node('dd', { textContent: value }))
  return node(
    'dl',
    { className: 'standing' },
    one(say(['余额', 'Balance']), yuan(balanceFen)),
    one(say(['可用授信', 'Credit left']), yuan(quotaFen - usedFen)),
    heldFen > 0 && one(say(['占用', 'On hold']), yuan(heldFen)),
    one(say(['今日发放', 'Issued today']), String(today.issued)),
    one(say(['今日使用', 'Used today']), String(today.used)),
  )
}
const done = (last: Given, { busy, takeBack }: Giving) =>
  node(
    'section',
    { className: 'done', role: 'status' },
    node('p', { textContent: say([`已发给 ${last.plateNo}：${last.name}`, `Issued to ${last.plateNo}: ${last.name}`]) }),
    node('p', { className: 'aside', textContent: say([`有效至 ${dayAndClock(last.validTo)}`, `Valid until ${dayAndClock(last.validTo)}`]) }),
    node('button', { type: 'button', className: 'quiet', disabled: busy, textContent: say(['撤回', 'Withdraw']), onclick: () => takeBack(last) }),
  )
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
/** The last moment in which something is good: what ends at midnight is good on the day before. */
function dayAndClock(until: string): string {
  const last = new Date(Date.parse(until) - 1)
  return `${DAY.format(last)} ${clock(last.toISOString())}`
}
