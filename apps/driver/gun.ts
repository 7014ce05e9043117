import './gun.css'
import { isPlate, normalizePlate } from '../../platform/contract/plate.ts'
import type { Trouble } from './ask.ts'
import { type Bills, bindPlate, billsOf, type Charge, chargeOf, type Gun, gunAt, type Key, start, stop } from './gunAsk.ts'
import { charging, DoorState } from './gunCharge.ts'
import { before } from './gunShow.ts'
import { node } from './node.ts'
import { english, say, speak } from './say.ts'

/** The page refreshes often while somebody pays, plugs in or charges; afterwards, when only the money can change, more rarely. */
const SOON_MS = 3_000
const LATER_MS = 15_000
const GONE = 404
const over = new Set<number>([DoorState.done, DoorState.failed, DoorState.cancelled, DoorState.attention])

let code = ''
/** Where this telephone keeps the key of its charge at this gun. */
let kept = ''
let mine: Key | undefined
let gun: Gun | undefined
let charge: Charge | undefined
let bills: Bills | undefined
let [plate, prepayFen, trouble] = ['', 0, '']
let busy = false
let sure = false
let timer: ReturnType<typeof setTimeout> | undefined

const forget = () => {
  localStorage.removeItem(kept)
  ;[mine, charge, bills, sure] = [undefined, undefined, undefined, false]
}
async function look(): Promise<void> {
  clearTimeout(timer)
  try {
    if (mine) {
      charge = await chargeOf(mine)
      bills = over.has(charge.state) ? await billsOf(mine) : undefined
    } else gun = await gunAt(code)
  } catch (error) {
    // Its link is over: the gun is free for another.
    if (mine && (error as Trouble).status === GONE) {
      forget()
      return look()
    }
    trouble = (error as Error).message
  }
  draw()
  timer = setTimeout(() => void again(), charge && !over.has(charge.state) ? SOON_MS : LATER_MS)
}
const again = () => (document.visibilityState === 'visible' && !busy ? look() : void (timer = setTimeout(() => void again(), SOON_MS)))
async function doing(work: () => Promise<unknown>): Promise<void> {
  if (busy) return
  ;[busy, trouble] = [true, '']
  draw()
  await work().catch((error: Error) => void (trouble = error.message))
  busy = false
  draw()
  // It stands below what was pressed, where a small screen may end.
  document.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
}

const pay = (payMethod: number) =>
  doing(async () => {
    const named = isPlate(plate) ? { plateNo: plate } : {}
    const { orderNo, key, payUrl } = await start({ code, prepayFen: prepayFen || gun!.usualFen, payMethod, ...named })
    mine = { orderNo, key }
    localStorage.setItem(kept, JSON.stringify(mine))
    if (payUrl) location.assign(payUrl)
    else await look()
  })
const end = () =>
  doing(async () => {
    charge = await stop(mine!)
    sure = false
    await look()
  })
const type = (next: string, drawn = true) => {
  plate = normalizePlate(next)
  if (drawn) draw()
}

function draw(): void {
  document.title = `${(gun ?? charge)?.stationName ?? ''} ${say(['充电', 'Charging'])}`
  const shown = charge
    ? charging(charge, bills, {
        ...{ busy, sure, plate, type },
        stop: () => (sure || charge!.state !== DoorState.charging ? void end() : ((sure = true), draw())),
        keep: () => ((sure = false), draw()),
        bind: () => void doing(async () => void (charge = await bindPlate(mine!, plate))),
        anew: () => (forget(), void look()),
        callOff: () => void doing(async () => (await stop(mine!), forget(), look())),
      })
    : gun
      ? before(gun, {
          ...{ busy, plate, type },
          prepayFen: prepayFen || gun.usualFen,
          choose: (fen) => ((prepayFen = fen), draw()),
          pay: (by) => void pay(by),
        })
      : [node('p', { className: 'aside', role: 'status', textContent: say(['正在打开…', 'Opening…']) })]
  withFocus(() =>
    document.querySelector('main')!.replaceChildren(head(), ...shown, ...(trouble ? [node('p', { role: 'alert', textContent: trouble })] : [])),
  )
}
function head(): HTMLElement {
  const place = gun ?? charge
  return node(
    'header',
    {},
    node('h1', { textContent: place?.stationName ?? say(['扫码充电', 'Scan to charge']) }),
    node('button', {
      type: 'button',
      className: 'quiet',
      textContent: english ? '中文' : 'English',
      onclick: () => (speak(!english), void look()),
    }),
    place && node('p', { textContent: `${say(['充电枪编号', 'Connector'])} ${place.connectorId}` }),
  )
}

/** The page of one charging gun: what it costs, paying in advance, charging, and the bill. */
export function openGun(scanned: string, plateOfBefore = ''): void {
  ;[code, kept, plate] = [scanned, `driver/charge/${scanned.split('.')[0]}`, plateOfBefore]
  mine = remembered(kept)
  speak(english)
  draw()
  void look()
  // Back from the payment channel, or from another app.
  addEventListener('pageshow', (event) => event.persisted && void look())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && !busy && void look())
}

function remembered(kept: string): Key | undefined {
  try {
    const { orderNo, key } = JSON.parse(localStorage.getItem(kept) ?? '{}') as Partial<Key>
    return orderNo && key ? { orderNo, key } : undefined
  } catch {
    return undefined
  }
}

/** Drawn anew, what had the focus has it again: a page that refreshes itself takes nobody's place away. */
function withFocus(draw: () => void): void {
  const all = () => [...document.querySelectorAll<HTMLElement>('main :is(button, input)')]
  const at = all().indexOf(document.activeElement as HTMLElement)
  const name = document.activeElement?.getAttribute('data-name')
  const caret = document.activeElement instanceof HTMLInputElement ? document.activeElement.selectionStart : null
  draw()
  if (at < 0) return
  const next = name ? document.querySelector<HTMLElement>(`[data-name="${name}"]`) : all()[at]
  next?.focus({ preventScroll: true })
  if (next instanceof HTMLInputElement && caret !== null && next.type !== 'radio') next.setSelectionRange(caret, caret)
}
