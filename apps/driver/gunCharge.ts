import { isPlate } from '../../platform/contract/plate.ts'
import type { Bills, Charge } from './gunAsk.ts'
import { receipt } from './gunBill.ts'
import { plateField } from './gunPlate.ts'
import { phone } from './gunShow.ts'
import { node } from './node.ts'
import { clock, lasting, say, type Text, yuan } from './say.ts'

/** As in the contract's `DoorState`. */
export const DoorState = { toPay: 1, starting: 2, charging: 3, stopping: 4, billing: 5, done: 6, failed: 7, cancelled: 8, attention: 9 } as const
const SAID: Record<number, Text> = {
  [DoorState.toPay]: ['等待支付', 'Waiting for payment'],
  [DoorState.starting]: ['已支付，请插枪', 'Paid: plug in now'],
  [DoorState.charging]: ['充电中', 'Charging'],
  [DoorState.stopping]: ['正在停止', 'Stopping'],
  [DoorState.billing]: ['充电结束，正在结算（约半分钟）', 'Charging has ended; the bill follows in about half a minute'],
  [DoorState.done]: ['充电完成', 'Charging complete'],
  [DoorState.failed]: ['没有启动', 'Charging did not start'],
  [DoorState.cancelled]: ['已取消', 'Cancelled'],
  [DoorState.attention]: ['正在人工核对，结果以账单为准', 'We are checking this charging session by hand; the bill will say what it cost'],
}
const MINUTE_MS = 60_000

interface Doing {
  busy: boolean
  /** The button to stop was pressed once. */
  sure: boolean
  plate: string
  type(next: string, drawn?: boolean): void
  stop(): void
  keep(): void
  bind(): void
  anew(): void
  callOff(): void
}
/** A charge from the payment to the bill. */
export function charging(of: Charge, bills: Bills | undefined, doing: Doing): Node[] {
  const { state } = of
  const said = of.state === DoorState.starting && of.plugged ? (['已插枪，正在启动', 'Plugged in: starting'] as const) : SAID[state]!
  const top = node(
    'section',
    {},
    node('p', { className: `stood d${state}`, role: 'status', textContent: say(said) }),
    of.why !== null && node('p', { className: 'aside', textContent: say([of.why.zh, of.why.en]) }),
    ...body(of, doing),
  )
  return [
    top,
    ...(state === DoorState.charging && of.plateNo === null ? [asksPlate(doing)] : []),
    ...(bills ? receipt(of, bills) : []),
    ...(bills ? [phone(of.serviceTel), button(say(['返回充电枪', 'Back to the connector']), 'second', doing.busy, doing.anew)] : []),
  ]
}

function body(of: Charge, doing: Doing): (Node | false)[] {
  switch (of.state) {
    case DoorState.toPay:
      return waitingToPay(of, doing)
    case DoorState.starting:
      return [
        of.startBy !== null &&
          node('p', {
            textContent: say(
              of.plugged
                ? [`${clock(of.startBy)} 前未启动则自动退款`, `If it has not started by ${clock(of.startBy)} you are refunded automatically`]
                : [
                    `请在 ${clock(of.startBy)} 前把充电枪插入车辆，超时自动退款`,
                    `Plug in by ${clock(of.startBy)}; after that you are refunded automatically`,
                  ],
            ),
          }),
        button(say(['取消并退款', 'Cancel and refund']), 'second', doing.busy, doing.stop),
      ]
    case DoorState.charging:
    case DoorState.stopping:
    case DoorState.billing:
      return [...meters(of), ...stopping(of, doing)]
    default:
      return []
  }
}
function waitingToPay({ payUrl, payBy }: Charge, { busy, callOff }: Doing): (Node | false)[] {
  if (payUrl === null)
    return [
      node('p', {
        className: 'aside',
        textContent: say(['如已支付，请稍候；如未支付，支付已超时', 'If you have paid, please wait a moment; if not, the time to pay is over']),
      }),
      button(say(['重新开始', 'Start again']), 'second', busy, callOff),
    ]
  return [
    payBy !== null && node('p', { className: 'aside', textContent: say([`请在 ${clock(payBy)} 前支付`, `Pay by ${clock(payBy)}`]) }),
    button(say(['去支付', 'Pay']), 'main', busy, () => location.assign(payUrl)),
    button(say(['取消', 'Cancel']), 'second', busy, callOff),
  ]
}

function meters({ energyWh, powerW, soc, startTime, endTime, costFen, prepaidFen, elecFen, serviceFen, discountFen, online, state }: Charge): Node[] {
  const minutes = Math.max(0, Math.floor(((endTime ? Date.parse(endTime) : Date.now()) - Date.parse(startTime)) / MINUTE_MS))
  const tile = (name: string, value: string) => node('div', {}, node('dt', { textContent: name }), node('dd', { textContent: value }))
  const used = node('progress', {
    max: Math.max(1, prepaidFen),
    value: Math.min(costFen, prepaidFen),
    ariaLabel: say(['已用预付', 'Used of your prepayment']),
  })
  const split = say([`电费 ${yuan(elecFen)} + 服务费 ${yuan(serviceFen)}`, `Electricity ${yuan(elecFen)} + service ${yuan(serviceFen)}`])
  return [
    node('p', { className: 'due' }, (energyWh / 1000).toFixed(2), node('small', { className: 'per', textContent: say([' 度', ' kWh']) })),
    node(
      'dl',
      { className: 'meters' },
      tile(say(['功率', 'Power']), powerW === null ? '–' : `${(powerW / 1000).toFixed(1)} kW`),
      tile(say(['电池电量', 'Battery']), soc === null ? '–' : `${soc}%`),
      tile(say(['已充时长', 'Time']), lasting(minutes)),
      tile(say(['费用', 'Cost']), yuan(costFen)),
    ),
    used,
    node('p', {
      className: 'aside',
      textContent: `${split}${discountFen > 0 ? say([` − 优惠 ${yuan(discountFen)}`, ` − discount ${yuan(discountFen)}`]) : ''} · ${say([`预付 ${yuan(prepaidFen)}`, `prepaid ${yuan(prepaidFen)}`])}`,
    }),
    ...(!online && state === DoorState.charging
      ? [
          node('p', {
            role: 'alert',
            textContent: say([
              '充电桩暂时离线：充电不受影响，数据稍后更新；如需停止，请按充电桩上的停止键',
              'The charger is offline. Charging continues and the readings will catch up. To stop, press the button on the charger',
            ]),
          }),
        ]
      : []),
  ]
}
function stopping({ state }: Charge, { busy, sure, stop, keep }: Doing): Node[] {
  if (state === DoorState.stopping) return [button(say(['还没停？再停一次', 'Still charging? Stop again']), 'second', busy, stop)]
  if (state !== DoorState.charging) return []
  if (!sure) return [button(say(['停止充电', 'Stop charging']), 'main', busy, stop)]
  return [button(say(['确定停止', 'Yes, stop']), 'main danger', busy, stop), button(say(['继续充电', 'Keep charging']), 'second', busy, keep)]
}
const button = (textContent: string, className: string, disabled: boolean, onclick: () => void) =>
  node('button', { type: 'button', className, disabled, textContent, onclick })

function asksPlate({ busy, plate, type, bind }: Doing): HTMLElement {
  return node(
    'section',
    {},
    node('p', { className: 'aside', textContent: say(['登记车牌，充电可减免停车费', 'Add your plate: charging can reduce your parking fee']) }),
    ...plateField(plate, type, say(['车牌号', 'Plate'])),
    button(say(['登记车牌', 'Save plate']), 'second', busy || !isPlate(plate), bind),
  )
}
