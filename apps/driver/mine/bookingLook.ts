import { node } from '../node.ts'
import { lasting, say, type Text, yuan } from '../say.ts'
import { type Bay, bookBay, type Car, freeBays, type Keeping, keepPlace } from './ask.ts'
import { button, choice, moment, moreOrLess, type Page, payButtons, row, sentence, words } from './parts.ts'

const HOUR_MS = 3_600_000
const HOUR_MIN = 60
const MINUTE_MS = 60_000
/** As in the contract's `FeesKind`. */
const [HOURLY, MONTHLY] = [1, 2]
const HOURS_MOST = 24

interface Wanted {
  what: 'bay' | 'place'
  plateNo: string
  kind: number
  /** As a field of date and time has it, by the city's clock. */
  start: string
  hours: number
  parkCode: string
  offerId?: string | undefined
}
let wanted: Wanted | undefined
let bays: Bay[] | undefined

export const looking = (): boolean => wanted !== undefined
/** The next whole hour. */
const soon = () => moment(new Date(Math.ceil((Date.now() + 1) / HOUR_MS) * HOUR_MS).toISOString()).replace(' ', 'T')
const instantOf = (start: string) => new Date(`${start}:00+08:00`).toISOString()
export function startLooking(what: Wanted['what'], cars: readonly Car[], parks: readonly Keeping[]): void {
  const { plateNo } = cars.find(({ isDefault }) => isDefault) ?? cars[0]!
  ;[wanted, bays] = [{ what, plateNo, kind: HOURLY, start: soon(), hours: 2, parkCode: parks[0]?.parkCode ?? '' }, undefined]
}
const stretch = ({ kind, start, hours }: Wanted) => {
  const startAt = instantOf(start)
  return kind === MONTHLY ? { kind, startAt } : { kind, startAt, endAt: new Date(Date.parse(startAt) + hours * HOUR_MS).toISOString() }
}
type Put = (changes: Partial<Wanted>) => void

export function lookForm(page: Page, parks: readonly Keeping[], cars: readonly Car[]): Node[] {
  const chosen = wanted!
  const put: Put = (changes) => {
    wanted = { ...chosen, ...changes }
    if (!('offerId' in changes)) bays = undefined
    page.redraw()
  }
  const plate = choice(
    page,
    ['车辆', 'Car'],
    cars.map(({ plateNo }) => plateNo),
    chosen.plateNo,
    (plateNo) => put({ plateNo, offerId: chosen.offerId }),
  )
  const leave = button(['返回', 'Back'], page, () => ((wanted = undefined), page.redraw()), 'quiet')
  return [
    node(
      'section',
      {},
      plate,
      startField(page, chosen, put),
      ...(chosen.what === 'bay' ? bayFields(page, chosen, put) : placeFields(page, parks, chosen, put)),
    ),
    leave,
  ]
}
function startField(page: Page, { what, start }: Wanted, put: Put): HTMLElement {
  const name: Text = what === 'place' ? ['预计到场时间', 'Arrival time'] : ['开始时间', 'From']
  const input = node('input', { type: 'datetime-local', value: start, step: '600', required: true, disabled: page.busy, ariaLabel: say(name) })
  input.addEventListener('change', () => input.value !== '' && put({ start: input.value }))
  return node('label', {}, node('span', { textContent: say(name) }), input)
}

const KINDS: Record<number, Text> = { [HOURLY]: ['按小时', 'By the hour'], [MONTHLY]: ['包月', 'By the month'] }
function bayFields(page: Page, chosen: Wanted, put: Put): Node[] {
  const kinds = [HOURLY, MONTHLY].map((kind) => say(KINDS[kind]!))
  const search = button(
    ['查找空闲车位', 'Find free bays'],
    page,
    () => page.looking(async () => void (bays = await freeBays(stretch(chosen)))),
    'main',
  )
  return [
    choice(page, ['预约方式', 'Booking type'], kinds, say(KINDS[chosen.kind]!), (one) => put({ kind: kinds.indexOf(one) + 1 })),
    ...(chosen.kind === HOURLY
      ? [moreOrLess(page, ['时长', 'Duration'], lasting(chosen.hours * HOUR_MIN), chosen.hours, HOURS_MOST, (hours) => put({ hours }))]
      : []),
    ...(bays ? found(page, bays, chosen, put) : [search]),
  ]
}
function found(page: Page, free: readonly Bay[], chosen: Wanted, put: Put): Node[] {
  if (free.length === 0) return [words(['该时段没有空闲的共享车位，请换一个时间', 'No shared bays free at that time; try another time'], 'wrong')]
  const line = ({ offerId, seatNo, prepaidFen }: Bay) =>
    node(
      'label',
      { className: 'amount' },
      node('input', { type: 'radio', name: 'bay', checked: offerId === chosen.offerId, disabled: page.busy, onchange: () => put({ offerId }) }),
      node('b', { textContent: seatNo }),
      node('small', { textContent: yuan(prepaidFen) }),
    )
  const ofPark = ([parkName, there]: [string, Bay[]]) =>
    node(
      'fieldset',
      {},
      node('legend', { textContent: say([`${parkName} · 空闲 ${there.length} 个`, `${parkName} · ${there.length} free`]) }),
      ...there.map(line),
    )
  const bay = free.find(({ offerId }) => offerId === chosen.offerId)
  const byPark = new Map<string, Bay[]>()
  for (const one of free) byPark.set(one.parkName, [...(byPark.get(one.parkName) ?? []), one])
  return [...[...byPark].map(ofPark), ...(bay ? terms(page, bay, chosen) : [])]
}
const terms = (page: Page, { offerId, startAt, endAt, prepaidFen, graceMin, overtimePermille, cancelFreeMin }: Bay, chosen: Wanted): Node[] => [
  node(
    'dl',
    {},
    row(say(['使用时间', 'Time']), `${moment(startAt).slice(5)} – ${moment(endAt).slice(5)}`),
    row(say(['免费取消', 'Free cancellation']), freeUntil(startAt, cancelFreeMin)),
    sentence(
      say(['超时', 'Overrun']),
      say([
        `超过 ${lasting(graceMin)}的，从结束时间起按单价的 ${overtimePermille / 10}% 计`,
        `Over ${lasting(graceMin)}: ${overtimePermille / 10}% of the price, from the end of the booking`,
      ]),
    ),
    row(say(['预付', 'Prepaid']), yuan(prepaidFen), 'sum'),
  ),
  ...keptOnCancel(isLate(startAt, cancelFreeMin), 'prepaid'),
  ...payButtons(page, prepaidFen, (payMethod) =>
    over(() => bookBay({ ...stretch(chosen), offerId, plateNo: chosen.plateNo, prepaidFen, payMethod })),
  ),
]
const endOfFree = (startAt: string, cancelFreeMin: number) => Date.parse(startAt) - cancelFreeMin * MINUTE_MS
const isLate = (startAt: string, cancelFreeMin: number) => endOfFree(startAt, cancelFreeMin) < Date.now()
const freeUntil = (startAt: string, cancelFreeMin: number): string => {
  const until = moment(new Date(endOfFree(startAt, cancelFreeMin)).toISOString()).slice(5)
  return isLate(startAt, cancelFreeMin) ? say([`已于 ${until} 截止`, `Ended at ${until}`]) : say([`${until} 前`, `Until ${until}`])
}
const KEPT: Record<'prepaid' | 'deposit', Text> = {
  prepaid: [
    '现在预约已过免费取消时间：支付后再取消，预付款不退',
    'Free cancellation is over already: if you pay and then cancel, the prepayment is not refunded',
  ],
  deposit: [
    '现在预约已过免费取消时间：支付后再取消，保证金不退',
    'Free cancellation is over already: if you pay and then cancel, the deposit is not refunded',
  ],
}
/** Said before anybody pays. */
export const keptOnCancel = (late: boolean, what: keyof typeof KEPT): Node[] => (late ? [words(KEPT[what], 'wrong')] : [])
/** Booked, the form is done; refused, it stays as it was filled in, but for the bays, which are looked for anew. */
async function over<T>(work: () => Promise<T>): Promise<T> {
  bays = undefined
  const made = await work()
  wanted = undefined
  return made
}

function placeFields(page: Page, parks: readonly Keeping[], chosen: Wanted, put: Put): Node[] {
  const park = parks.find(({ parkCode }) => parkCode === chosen.parkCode) ?? parks[0]
  if (!park) return [words(['暂无可预约的车场', 'No car park takes reservations now'], 'wrong')]
  const keep = (payMethod: number) =>
    over(() =>
      keepPlace({ parkCode: park.parkCode, plateNo: chosen.plateNo, startAt: instantOf(chosen.start), prepaidFen: park.depositFen, payMethod }),
    )
  return [
    choice(
      page,
      ['车场', 'Car park'],
      parks.map(({ parkName }) => parkName),
      park.parkName,
      (one) => put({ parkCode: parks.find(({ parkName }) => parkName === one)!.parkCode }),
    ),
    node(
      'dl',
      {},
      row(say(['最多提前', 'Book ahead']), lasting(park.openAheadHours * HOUR_MIN)),
      row(say(['保留', 'Held for']), say([`到场时间后 ${lasting(park.holdMin)}`, `${lasting(park.holdMin)} after the arrival time`])),
      row(say(['免费取消', 'Free cancellation']), freeUntil(instantOf(chosen.start), park.cancelFreeMin)),
      park.depositFen > 0 && row(say(['保证金，到达后退还', 'Deposit, refunded on arrival']), yuan(park.depositFen), 'sum'),
    ),
    ...keptOnCancel(park.depositFen > 0 && isLate(instantOf(chosen.start), park.cancelFreeMin), 'deposit'),
    ...(park.depositFen > 0
      ? payButtons(page, park.depositFen, keep)
      : [button(['确认预约', 'Confirm reservation'], page, () => page.doing(() => keep(1)), 'main')]),
  ]
}
