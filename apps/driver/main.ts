import { isPlate, normalizePlate } from '../../platform/contract/plate.ts'
import { type Bill, quote, startPaying } from './ask.ts'
import { bill } from './bill.ts'
import { type Debt, debtsOf } from './debtsAsk.ts'
import { keys, PLATE_MAX } from './keys.ts'
import { node } from './node.ts'
import { english, say, speak } from './say.ts'

interface Place {
  parkName: string
  /** As in the contract's `QrTarget`. */
  target: number
  /** The name of the lane, the bay or the gun. */
  placeName: string | null
  /** The enterprise whose page the driver may open from here. */
  company: number | null
}
const place = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=place]')!.content) as Place
const code = location.pathname.split('/').at(-1)!
const PLATES_KEY = 'driver/plates'
const PLATES_MAX = 3
/** While somebody pays elsewhere, this page looks again. */
const AGAIN_MS = 4_000
const PAYING = 2
const LEAVE = 4
const GUN = 4

let plate = ''
let bills: Bill[] | undefined
let owed: Debt[] = []
/** Advertisements before and after paying: each is asked for once, and put below the rest. */
const advertised = new Map<boolean, Promise<HTMLElement | undefined>>()
const hasPaid = () => bills?.some(({ state }) => state === LEAVE) === true
async function advertise(): Promise<void> {
  const paid = hasPaid()
  const { advertisementAt, HOME, name, PAID } = await import('./advertisement.ts')
  if (!advertised.has(paid)) advertised.set(paid, advertisementAt(code, paid ? PAID : HOME))
  const whole = await advertised.get(paid)
  if (!whole || paid !== hasPaid()) return
  name(whole)
  document.querySelector('main')!.append(whole)
}
/** Debts and appeals come where there are any: whoever only pays for parking does without them. */
let part: typeof import('./debts.ts') | undefined
const loadPart = async () => void (part ??= await import('./debts.ts'))
let trouble = ''
let busy = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Plates of earlier visits of this telephone, the last one first. They are kept here only. */
function remembered(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLATES_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string' && isPlate(one)).slice(0, PLATES_MAX) : []
  } catch {
    return []
  }
}
const hasAppealed = () => {
  try {
    return localStorage.getItem('driver/appeals') !== null
  } catch {
    return false
  }
}
function remember(plateNo: string): void {
  try {
    localStorage.setItem(PLATES_KEY, JSON.stringify([plateNo, ...remembered().filter((one) => one !== plateNo)].slice(0, PLATES_MAX)))
  } catch {
    // A browser that keeps nothing: the plate is typed again next time.
  }
}

async function doing(work: () => Promise<void>): Promise<void> {
  if (busy) return
  ;[busy, trouble] = [true, '']
  draw()
  await work().catch((error: Error) => void (trouble = error.message))
  busy = false
  draw()
}
const find = () =>
  doing(async () => {
    ;[bills, owed] = await Promise.all([quote(code, plate), debtsOf({ code, plateNo: plate })])
    if (owed.length > 0) await loadPart()
    if (bills.length > 0 || owed.length > 0) remember(plate)
    else
      trouble = say(['本场没有找到这辆车，请核对车牌；仍有疑问请联系值班人员', 'This car was not found here. Check the plate or ask the attendant'])
  })
const pay = (orderNo: string, payMethod: number) =>
  doing(async () => {
    const { payUrl } = await startPaying({ code, orderNo, payMethod })
    if (payUrl) location.assign(payUrl)
  })
function type(next: string): void {
  ;[plate, bills, owed, trouble] = [normalizePlate(next), undefined, [], '']
  draw()
}

function draw(): void {
  clearTimeout(timer)
  if (bills?.some(({ state }) => state === PAYING)) timer = setTimeout(() => void find(), AGAIN_MS)
  document.title = `${place.parkName} ${say(['停车缴费', 'Pay for parking'])}`
  document
    .querySelector('main')!
    .replaceChildren(
      node(
        'header',
        {},
        node('h1', { textContent: place.parkName }),
        node('button', { type: 'button', className: 'quiet', textContent: english ? '中文' : 'English', onclick: () => (speak(!english), draw()) }),
        place.placeName && node('p', { textContent: place.placeName }),
        place.company !== null && node('a', { href: `/my/${place.company}`, textContent: say(['我的停车 ›', 'My parking ›']) }),
      ),
      ...(bills?.length || owed.length > 0 ? shown(bills ?? []) : asking()),
    )
  void advertise().catch(() => {})
}

function asking(): Node[] {
  const field = node('input', {
    value: plate,
    inputMode: 'none',
    maxLength: PLATE_MAX,
    autocapitalize: 'characters',
    spellcheck: false,
    placeholder: say(['请输入车牌号', 'Enter your plate']),
    ariaLabel: say(['车牌号', 'Plate']),
  })
  field.autocomplete = 'off'
  const send = node('button', {
    type: 'submit',
    className: 'main',
    disabled: busy || !isPlate(plate),
    textContent: say(['查询停车费', 'Check parking fee']),
  })
  // Typing redraws nothing else here: drawn anew, the field would lose its cursor.
  field.addEventListener('input', () => {
    plate = normalizePlate(field.value)
    send.disabled = !isPlate(plate)
  })
  const form = node('form', { onsubmit: (event: Event) => (event.preventDefault(), isPlate(plate) && void find(), undefined) }, field, send)
  const chips = remembered().map((one) => node('button', { type: 'button', textContent: one, onclick: () => (type(one), void find()) }))
  const section = node('section', {}, form, chips.length > 0 && node('div', { className: 'chips' }, ...chips), trouble !== '' && alarm())
  return [section, ...before(), keys(plate, type)]
}
/** It is not asked for any more. */
const gone = (ref: string) => void (owed = owed.filter((one) => one.ref !== ref))
const before = (now?: Bill) =>
  part?.debts(owed, now, { code, plateNo: plate, company: place.company, busy, run: (work) => void doing(work), draw, gone }) ?? []
const alarm = () => node('p', { role: 'alert', textContent: trouble })

const shown = (all: readonly Bill[]): Node[] => [
  ...all.map((one) => bill(one, { busy, pay, again: () => void find() })),
  ...(all.length === 0
    ? [node('section', {}, node('h2', { textContent: plate }), node('p', { textContent: say(['本场没有在停记录', 'Not parked here now']) }))]
    : []),
  ...before(all[0]),
  ...(trouble === '' ? [] : [alarm()]),
  node('button', { type: 'button', className: 'quiet', textContent: say(['换一个车牌', 'Another plate']), onclick: () => type('') }),
]

// The page of a charging gun is loaded where one was scanned: whoever only pays for parking does without it.
if (place.target === GUN) void import('./gun.ts').then(({ openGun }) => openGun(code, remembered()[0]))
else {
  speak(english)
  plate = remembered()[0] ?? ''
  draw()
  if (hasAppealed()) void loadPart().then(draw)
  // Back from the payment channel: what is due may have changed.
  addEventListener('pageshow', () => bills && void find())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && bills && void find())
}
