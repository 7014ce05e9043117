import { isPlate, normalizePlate } from '../../platform/contract/plate.ts'
import { Trouble } from '../driver/ask.ts'
import '../driver/driver.css'
import { node } from '../driver/node.ts'
import { english, say, speak, type Text } from '../driver/say.ts'
import {
  type CarInside,
  type Code,
  type Day,
  days,
  dayOf,
  type Given,
  give,
  given,
  home,
  type Home,
  inside,
  isSignedIn,
  keep,
  recharge,
  showCode,
  signOut,
  takeBack,
  type WholeDay,
} from './ask.ts'
import { codePage } from './code.ts'
import { givePage } from './give.ts'
import { dayPage, daysPage, givenPage } from './lists.ts'
import './merchant.css'
import { rechargePage } from './recharge.ts'
import { alarm, passwordForm, signInForm } from './signIn.ts'

type Tab = 'give' | 'given' | 'days'
const TABS: readonly (readonly [Tab, Text])[] = [
  ['give', ['发券', 'Issue']],
  ['given', ['今日', 'Today']],
  ['days', ['对账', 'Statements']],
]
const UNKNOWN = 401
/** The server's word for: the password is to be changed first. */
const PASSWORD_FIRST = 403

let tab: Tab = 'give'
let mine: Home | undefined
let plate = ''
let last: Given | undefined
let code: (Code & { soldId: string }) | undefined
let issued: Given[] = []
let statements: Day[] = []
let shownDay: WholeDay | undefined
let changing: { mchNo: string; password: string } | undefined
/** The search among the cars inside, and its results; undefined before a search. */
let ending = ''
let cars: CarInside[] | undefined
/** How much is being put in; nothing while none is. */
let puttingFen: number | undefined
let trouble = ''
let busy = false

async function doing(work: () => Promise<void>): Promise<void> {
  if (busy) return
  ;[busy, trouble] = [true, '']
  draw()
  await work().catch((error: Error) => {
    trouble = error.message
    const status = error instanceof Trouble ? error.status : undefined
    if (status === UNKNOWN && mine) out()
    else if (status === UNKNOWN && isSignedIn()) keep('')
    else if (status === PASSWORD_FIRST && !mine) keep('')
  })
  busy = false
  draw()
}
function out(): void {
  keep('')
  ;[ending, cars, puttingFen] = ['', undefined, undefined]
  ;[mine, plate, last, code, issued, statements, shownDay, changing, tab] = [
    undefined,
    '',
    undefined,
    undefined,
    [],
    [],
    undefined,
    undefined,
    'give',
  ]
}
const load = async () => {
  mine = await home()
  if (tab === 'given') issued = await given()
  if (tab === 'days') statements = await days()
}
const entered = (changes: typeof changing) => {
  changing = changes
  if (!changes) queueMicrotask(() => void doingNext(load))
}
/** Once what is being done is done. */
const doingNext = async (work: () => Promise<void>) => {
  while (busy) await new Promise((go) => setTimeout(go, 20))
  await doing(work)
}
function type(next: string): void {
  ;[plate, trouble] = [normalizePlate(next), '']
  if (plate !== '') last = undefined
  if (!isPlate(plate)) return draw()
  if (!cars?.some(({ plateNo }) => plateNo === plate)) standsNow(plate)
  draw()
}
/** Whether it is inside is said beside the coupons, and holds nobody up who gives one. */
function standsNow(whole: string): void {
  cars = undefined
  const tell = (found: CarInside[]) => {
    if (plate !== whole) return
    cars = found
    draw()
  }
  void inside(whole).then(tell, () => undefined)
}
const lookFor = async (typed: string) => {
  cars = await inside(typed)
  ending = typed
}
const look = (typed: string) => void doing(() => lookFor(typed))
const FIRST_FEN = 10_000
const put = (fen: number | undefined) => {
  ;[puttingFen, trouble] = [fen, '']
  draw()
}
const pay = (payMethod: number) =>
  void doing(async () => {
    const { payUrl } = await recharge(puttingFen!, payMethod)
    if (payUrl) location.assign(payUrl)
  })
const giveOne = (soldId: string) =>
  doing(async () => {
    last = await give(soldId, plate)
    ;[plate, ending, cars] = ['', '', undefined]
    await load()
  })
const show = (soldId: string) => doing(async () => void (code = { ...(await showCode(soldId)), soldId }))
const hide = () =>
  doing(async () => {
    code = undefined
    await load()
  })
const undo = (one: Given) =>
  doing(async () => {
    await takeBack(one)
    last = undefined
    await load()
  })
const turn = (next: Tab) => {
  ;[tab, shownDay, last, code, puttingFen] = [next, undefined, undefined, undefined, undefined]
  void doing(load)
}

function draw(): void {
  document.title = say(['商户发券', 'Parking coupons'])
  document.querySelector('main')!.replaceChildren(head(), ...body())
}
function head(): HTMLElement {
  const language = node('button', {
    type: 'button',
    className: 'quiet',
    textContent: english ? '中文' : 'English',
    onclick: () => (speak(!english), draw()),
  })
  const leave = () =>
    doing(() =>
      signOut()
        .catch(() => null)
        .then(out),
    )
  return node(
    'header',
    {},
    node('h1', { textContent: mine?.name ?? say(['商户发券', 'Parking coupons']) }),
    language,
    mine && node('p', { textContent: mine.mchNo }),
    mine && node('button', { type: 'button', className: 'quiet', textContent: say(['退出', 'Sign out']), onclick: () => void leave() }),
  )
}
function body(): Node[] {
  const entering = { busy, trouble, doing: (work: () => Promise<void>) => void doing(work), entered }
  if (changing) return [passwordForm(entering, changing)]
  if (!isSignedIn()) return [signInForm(entering)]
  if (!mine)
    return trouble === ''
      ? []
      : [
          node(
            'section',
            {},
            alarm(trouble),
            node('button', { type: 'button', textContent: say(['重试', 'Try again']), onclick: () => void doing(load) }),
          ),
        ]
  return [tabs(), ...shown(mine)]
}
const tabs = () =>
  node(
    'nav',
    {},
    ...TABS.map(([name, text]) =>
      node('button', { type: 'button', ariaCurrent: name === tab ? 'page' : null, textContent: say(text), onclick: () => turn(name) }),
    ),
  )
function shown(of: Home): Node[] {
  if (tab === 'give' && puttingFen !== undefined)
    return rechargePage({ usedFen: of.usedFen, amountFen: puttingFen, busy, trouble, choose: put, pay, back: () => put(undefined) })
  if (tab === 'give' && code)
    return codePage(
      code,
      () => void show(code!.soldId),
      () => void hide(),
    )
  if (tab === 'give')
    return givePage({
      home: of,
      plate,
      last,
      busy,
      trouble,
      type,
      say: note,
      give: (id) => void giveOne(id),
      show: (id) => void show(id),
      takeBack: (one) => void undo(one),
      ...{ ending, cars, look },
      keep: (typed) => void (ending = typed),
      recharge: () => put(FIRST_FEN),
    })
  const wrong = alarm(trouble)
  const list =
    tab === 'given'
      ? givenPage(issued, busy, (one) => void undo(one))
      : shownDay
        ? dayPage(shownDay, () => ((shownDay = undefined), draw()))
        : daysPage(statements, openDay)
  return [...(wrong ? [wrong] : []), ...list]
}
function note(why: string): void {
  if (why === trouble) return
  trouble = why
  draw()
}
const openDay = (day: string) => void doing(async () => void (shownDay = await dayOf(day)))

speak(english)
draw()
if (isSignedIn()) void doing(load)
