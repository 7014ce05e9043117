import { isPlate } from '../../platform/contract/plate.ts'
import type { Gun } from './gunAsk.ts'
import { plateField } from './gunPlate.ts'
import { node } from './node.ts'
import { lasting, say, type Text, yuan } from './say.ts'
import { ways } from './ways.ts'

/** As in the contract's `ConnectorStatus`. */
const GUNS: Record<number, Text> = {
  0: ['离线', 'Offline'],
  1: ['空闲', 'Free'],
  2: ['已插枪', 'Plugged in'],
  3: ['充电中', 'Charging'],
  4: ['已预约', 'Reserved'],
  255: ['故障', 'Out of order'],
}
/** As in `PeriodKind`. */
export const PERIODS: Record<number, Text> = {
  1: ['尖', 'Critical peak'],
  2: ['峰', 'Peak'],
  3: ['平', 'Standard'],
  4: ['谷', 'Off-peak'],
  5: ['深谷', 'Super off-peak'],
}
const DC = 4
const E4 = 10_000
/** A price in ten thousandths of a yuan: two decimals, and more where it has them. */
export const perKwh = (priceE4: number) => `¥${(priceE4 / E4).toFixed(4).replace(/0{1,2}$/, '')}`

interface Doing {
  busy: boolean
  plate: string
  prepayFen: number
  type(next: string, drawn?: boolean): void
  choose(fen: number): void
  pay(payMethod: number): void
}
/** A gun before a charge: its state, its prices, and what is paid in advance. */
export function before(gun: Gun, doing: Doing): Node[] {
  const { hindrance, parkNo, connectorType, power, status } = gun
  const facts = [
    `${connectorType === DC ? say(['直流', 'DC']) : say(['交流', 'AC'])} ${power} kW`,
    parkNo && `${say(['车位', 'Bay'])} ${parkNo}`,
    gun.operatorName,
  ].filter(Boolean)
  const state = node(
    'section',
    {},
    node('p', { className: `gun g${status}`, role: 'status', textContent: say(GUNS[status] ?? GUNS[0]!) }),
    node('p', { className: 'aside', textContent: facts.join(' · ') }),
    hindrance !== null && node('p', { role: 'alert', textContent: say([hindrance.zh, hindrance.en]) }),
  )
  return [state, ...prices(gun), ...(hindrance === null ? [paying(gun, doing)] : [phone(gun.serviceTel)])]
}
export const phone = (tel: string) => node('p', { className: 'aside', textContent: `${say(['客服电话', 'Customer service'])} ${tel}` })

function prices({ periods, idleGraceMin, occupyFenPerMin, occupyCapFen, quietFrom, quietTo }: Gun): HTMLElement[] {
  const [now, ...later] = periods
  if (!now) return []
  const all = ({ elecPriceE4, servicePriceE4 }: typeof now) => perKwh(elecPriceE4 + servicePriceE4)
  const split = say([
    `电费 ${perKwh(now.elecPriceE4)} + 服务费 ${perKwh(now.servicePriceE4)}`,
    `Electricity ${perKwh(now.elecPriceE4)} + service ${perKwh(now.servicePriceE4)}`,
  ])
  const quiet = quietFrom === quietTo ? '' : say([`，${quietFrom}–${quietTo} 免计`, `; free ${quietFrom}–${quietTo}`])
  const cap = occupyCapFen > 0 ? say([`，最多 ${yuan(occupyCapFen)}`, `, at most ${yuan(occupyCapFen)}`]) : ''
  const shown = node(
    'section',
    {},
    node('h2', { className: 'small', textContent: say([`现在电价（至 ${now.to}）`, `Price now (until ${now.to})`]) }),
    node('p', { className: 'due' }, all(now), node('small', { className: 'per', textContent: say(['/度', '/kWh']) })),
    node('p', { className: 'aside', textContent: `${say(PERIODS[now.kind]!)} · ${split}` }),
    later.length > 0 &&
      node(
        'dl',
        { ariaLabel: say(['今日稍后', 'Later today']) },
        ...later.map((one) =>
          node('div', {}, node('dt', { textContent: `${one.from}–${one.to} ${say(PERIODS[one.kind]!)}` }), node('dd', { textContent: all(one) })),
        ),
      ),
    occupyFenPerMin > 0 &&
      node('p', {
        className: 'aside',
        textContent: `${say([`充完 ${lasting(idleGraceMin)}内拔枪免占位费，之后每分钟 ${yuan(occupyFenPerMin)}`, `Unplug within ${lasting(idleGraceMin)} after charging ends; then ${yuan(occupyFenPerMin)} a minute`])}${cap}${quiet}`,
      }),
  )
  return [shown]
}

function paying(gun: Gun, { busy, plate, prepayFen, type, choose, pay }: Doing): HTMLElement {
  const now = gun.periods[0]!
  const kwh = Math.floor((prepayFen * E4) / 100 / (now.elecPriceE4 + now.servicePriceE4))
  const choices = gun.prepays.map((fen) =>
    node(
      'label',
      {},
      named(
        node('input', { type: 'radio', name: 'prepay', value: String(fen), checked: fen === prepayFen, onchange: () => choose(fen) }),
        `prepay-${fen}`,
      ),
      node('span', { textContent: `¥${fen / 100}` }),
    ),
  )
  const buttons = ways.map(({ payMethod, text }, i) =>
    node('button', {
      type: 'button',
      className: i === 0 ? 'main' : 'second',
      disabled: busy || (plate !== '' && !isPlate(plate)),
      textContent: `${say(text)} ${yuan(prepayFen)}`,
      onclick: () => pay(payMethod),
    }),
  )
  return node(
    'section',
    {},
    node('fieldset', { className: 'prepays' }, node('legend', { textContent: say(['预付金额', 'Prepayment']) }), ...choices),
    node('p', {
      className: 'aside',
      textContent: say([
        `按现价约 ${kwh} 度；充多少付多少，余款原路退回`,
        `About ${kwh} kWh at this price; you pay for what you use and the rest is refunded`,
      ]),
    }),
    ...plateField(plate, type, say(['车牌号（选填，可减免停车费）', 'Plate (optional, can reduce your parking fee)'])),
    ...buttons,
  )
}
/** Known by this name when the page is drawn anew. */
export function named<T extends HTMLElement>(made: T, name: string): T {
  made.dataset['name'] = name
  return made
}
