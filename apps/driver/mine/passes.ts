import { node } from '../node.ts'
import { say, yuan } from '../say.ts'
import { type Car, changePlate, type Pass, type PassKind, payPass, type PassQuote, quotePass, refundPass, renewPass } from './ask.ts'
import { button, choice, empty, lastDay, moment, moreOrLess, type Page, payButtons, row, sentence, words } from './parts.ts'
import { buying, buyForm, startBuying } from './passBuy.ts'
import { EXPIRED, HOURS, lengthOf, NOT_YET, paying, PERIODS_MOST, STATES, TAKEN, VALID } from './passTerms.ts'
import { plural } from '../../../platform/contract/plural.ts'

const VERIFIED = 1
/** The pass about which something is being done. */
let asked: { id: string; what: 'renew' | 'plate' | 'refund' } | undefined
let periods = 1
let quote: PassQuote | undefined
let [oldPlate, newPlate, reason] = ['', '', '']
let backFen: number | undefined

export function passesPart(
  page: Page,
  { passes, kinds, cars }: { passes: readonly Pass[]; kinds: readonly PassKind[]; cars: readonly Car[] },
): Node[] {
  const verified = cars.filter(({ verifyState }) => verifyState === VERIFIED)
  if (buying()) return buyForm(page, kinds, verified)
  return [
    ...(passes.length > 0 ? passes.map((pass) => card(page, pass, verified)) : [empty(['没有月卡', 'No passes'])]),
    kinds.length === 0
      ? words(['暂无可自助购买的月卡，请到停车场办理', 'No passes on sale online; ask the car park'], 'aside')
      : verified.length === 0
        ? words(['车牌认证通过后可购买月卡', 'Verify your plate to buy a pass'], 'aside')
        : button(['购买月卡', 'Buy a pass'], page, () => (startBuying(kinds, verified), page.redraw()), 'main'),
  ]
}

function card(page: Page, pass: Pass, cars: readonly Car[]): HTMLElement {
  const {
    id,
    groupName,
    carFeesName,
    plates,
    otherCars,
    parkNames,
    seatCode,
    timeWindow,
    startAt,
    endAt,
    daysLeft,
    status,
    refunding,
    rejectedFor,
    waiting,
    waitingFen,
  } = pass
  const listed = node('dd', { className: 'places', textContent: parkNames.join(say(['、', ', '])) })
  const more = otherCars > 0 ? say([` 等 ${plates.length + otherCars} 辆`, ` and ${otherCars} more`]) : ''
  return node(
    'section',
    {},
    node('h2', { textContent: groupName ?? carFeesName ?? say(['月卡', 'Pass']) }),
    node('p', {
      className: `told s${status === VALID ? 3 : status === EXPIRED ? 5 : 0}`,
      textContent: say(
        rejectedFor ? ['审核未通过', 'Not approved'] : refunding ? ['退卡审核中', 'Refund under review'] : (STATES[status] ?? ['', '']),
      ),
    }),
    node(
      'dl',
      {},
      sentence(say(['车辆', 'Cars']), plates.join(say(['、', ', '])) + more),
      node('div', {}, node('dt', { textContent: say(['可用车场', 'Car parks']) }), listed),
      seatCode !== null && row(say(['固定车位', 'Assigned bay']), seatCode),
      row(say(['可用时段', 'Hours']), say(HOURS[timeWindow] ?? ['', ''])),
      row(say(['有效期', 'Valid']), `${moment(startAt).slice(0, 10)} – ${lastDay(endAt)}`),
      (status === VALID || status === NOT_YET) && row(say(['剩余', 'Left']), say([`${daysLeft} 天`, `${daysLeft} ${plural(daysLeft, 'day')}`])),
    ),
    rejectedFor && words([`原因：${rejectedFor}`, `Reason: ${rejectedFor}`]),
    ...(waiting !== null && waitingFen !== null
      ? [
          words(['有一笔订单待支付，逾期未付自动取消', 'You have an unpaid order; it is cancelled if it is not paid in time']),
          ...payButtons(page, waitingFen, (way) => payPass(id, way)),
        ]
      : []),
    asked?.id === id ? doingIt(page, pass, cars) : acts(page, pass, cars),
  )
}

function acts(page: Page, pass: Pass, cars: readonly Car[]): HTMLElement | false {
  const begin = (what: 'renew' | 'plate' | 'refund') => {
    asked = { id: pass.id, what }
    ;[periods, quote, reason, backFen] = [1, undefined, '', undefined]
    ;[oldPlate, newPlate] = [pass.plates[0] ?? '', cars.find(({ plateNo }) => !pass.plates.includes(plateNo))?.plateNo ?? '']
    if (what === 'renew') look(page, pass)
    else page.redraw()
  }
  const running = pass.own && (pass.status === VALID || pass.status === NOT_YET) && pass.waiting === null
  const shown = [
    pass.renewable && button(['续费', 'Renew'], page, () => begin('renew')),
    running && pass.plates.length > 0 && button(['变更车牌', 'Change a plate'], page, () => begin('plate')),
    running && button(['退卡', 'Cancel pass'], page, () => begin('refund')),
  ].filter((one) => one !== false)
  return shown.length > 0 && node('div', { className: 'chips' }, ...shown)
}
const look = (page: Page, { id }: Pass) => page.looking(async () => void (quote = await quotePass({ id, periods })))
const over = (page: Page) => button(['取消', 'Cancel'], page, () => ((asked = undefined), page.redraw()), 'quiet')
const done = (page: Page, work: () => Promise<unknown>) => page.doing(async () => void (await work(), (asked = undefined)))

function doingIt(page: Page, pass: Pass, cars: readonly Car[]): HTMLElement {
  if (asked!.what === 'renew') return node('form', { onsubmit: stay }, ...renewal(page, pass), over(page))
  if (asked!.what === 'plate') return node('form', { onsubmit: stay }, ...plateChange(page, pass, cars), over(page))
  return node('form', { onsubmit: stay }, ...givingBack(page, pass), over(page))
}
const stay = (event: Event) => event.preventDefault()

function renewal(page: Page, pass: Pass): Node[] {
  const put = (next: number) => ((periods = next), look(page, pass))
  const stepper = moreOrLess(page, ['续费时长', 'Renew for'], lengthOf(pass, periods), periods, PERIODS_MOST, put)
  if (!quote) return [stepper]
  const { startAt, endAt, payableFen, taken, quoteNo } = quote
  return [
    stepper,
    node(
      'dl',
      {},
      row(say(['续期', 'Renewed']), `${moment(startAt).slice(0, 10)} – ${lastDay(endAt)}`),
      row(say(['应付', 'To pay']), yuan(payableFen), 'sum'),
    ),
    ...(taken ? [words(TAKEN, 'wrong')] : payButtons(page, payableFen, (way) => renewing(pass, quoteNo!, way))),
  ]
}

async function renewing({ id }: Pass, quoteNo: string, payMethod: number) {
  const started = await paying(
    () => renewPass({ id, periods, quoteNo, payMethod }),
    async () => void (quote = await quotePass({ id, periods })),
  )
  asked = undefined
  return started
}

function plateChange(page: Page, pass: Pass, cars: readonly Car[]): Node[] {
  const others = cars.filter(({ plateNo }) => !pass.plates.includes(plateNo))
  if (others.length === 0)
    return [words(['请先在「车辆」中绑定新车牌并通过认证', 'First add the new plate under “Cars” and have it verified'], 'aside')]
  const send = button(['确认变更', 'Confirm change'], page, () => done(page, () => changePlate(pass, oldPlate, newPlate)), 'second')
  return [
    words(['每月最多变更两次；车辆在场时不能变更。', 'Twice a month at most, not while the car is parked.'], 'aside'),
    choice(page, ['原车牌', 'From'], pass.plates, oldPlate, (one) => (oldPlate = one)),
    choice(
      page,
      ['新车牌', 'To'],
      others.map(({ plateNo }) => plateNo),
      newPlate,
      (one) => (newPlate = one),
    ),
    send,
  ]
}
function givingBack(page: Page, pass: Pass): Node[] {
  const text = node('textarea', {
    value: reason,
    maxLength: 200,
    rows: 2,
    ariaLabel: say(['退卡原因', 'Reason']),
    placeholder: say(['请填写退卡原因', 'Enter the reason']),
  })
  const ask = button(
    ['查看可退金额', 'See the refund amount'],
    page,
    () => page.looking(async () => void (backFen = (await refundPass(pass, reason, true)).refundFen)),
    'second',
  )
  const send = button(['确认退卡', 'Cancel this pass'], page, () => done(page, () => refundPass(pass, reason, false)), 'main')
  for (const one of [ask, send]) one.disabled ||= reason.trim() === ''
  text.addEventListener('input', () => {
    reason = text.value
    for (const one of [ask, send]) one.disabled = page.busy || reason.trim() === ''
  })
  return [
    words(
      [
        '提交后立即停用，审核通过后原路退款；未通过则恢复并顺延。',
        'The pass stops at once and is refunded the original way once approved; if rejected, it resumes and gets the days back.',
      ],
      'aside',
    ),
    text,
    ...(backFen === undefined ? [ask] : [node('dl', {}, row(say(['可退金额', 'Refundable']), yuan(backFen), 'sum')), send]),
  ]
}
