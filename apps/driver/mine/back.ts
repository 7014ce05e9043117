import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { type Back, type BackQuote, refund } from './ask.ts'
import { button, moment, type Page, row, words } from './parts.ts'

/** As in the contract's `StoredRefundState`. */
const STATES: Record<number, Text> = {
  0: ['待审核', 'To review'],
  1: ['初审通过', 'First review approved'],
  2: ['复审通过', 'Second review approved'],
  3: ['打款中', 'Transfer in progress'],
  4: ['已退款', 'Refunded'],
  5: ['已驳回', 'Rejected'],
  6: ['打款失败，工作人员会与您联系', 'Transfer failed; we will contact you'],
}

let asking = false
let reason = ''
let quote: BackQuote | undefined

/** Stored value goes back the way it came, when two people have approved it. */
export function backCard(page: Page, principalFen: number, backs: readonly Back[]): HTMLElement | false {
  if (principalFen <= 0 && backs.length === 0) return false
  const begin = () => ((asking = true), (reason = ''), (quote = undefined), page.redraw())
  return node(
    'section',
    {},
    node('h3', { textContent: say(['余额退款', 'Refund']) }),
    asking ? form(page) : principalFen > 0 && button(['申请退款', 'Request a refund'], page, begin, 'second'),
    backs.length > 0 && node('ul', {}, ...backs.map(line)),
  )
}
function form(page: Page): HTMLElement {
  const text = node('textarea', {
    value: reason,
    maxLength: 200,
    rows: 2,
    ariaLabel: say(['退款原因', 'Refund reason']),
    placeholder: say(['请填写退款原因', 'Enter the reason']),
  })
  const look = button(
    ['查看应退金额', 'See the refund amount'],
    page,
    () => page.looking(async () => void (quote = await refund(reason, true))),
    'second',
  )
  const send = button(
    ['确认申请', 'Confirm request'],
    page,
    () => page.doing(async () => void (await refund(reason, false), (asking = false))),
    'main',
  )
  const ready = () => {
    for (const one of [look, send]) one.disabled = page.busy || reason.trim() === ''
  }
  ready()
  text.addEventListener('input', () => ((reason = text.value), ready()))
  return node(
    'form',
    { onsubmit: (event: Event) => event.preventDefault() },
    words(
      [
        '全部本金申请退款，赠送部分按规则收回；提交后冻结，经两级审核后原路退回。',
        'All principal is refunded and its bonus is taken back by the rules. It is frozen on submission and refunded the original way after two reviews.',
      ],
      'aside',
    ),
    text,
    ...(quote ? [sums(quote), send] : [look]),
    button(['取消', 'Cancel'], page, () => ((asking = false), page.redraw()), 'quiet'),
  )
}
const sums = ({ amountFen, clawbackFen, shortfallFen, payFen }: BackQuote) =>
  node(
    'dl',
    {},
    row(say(['退款本金', 'Principal refunded']), yuan(amountFen)),
    clawbackFen > 0 && row(say(['收回赠送', 'Bonus taken back']), yuan(clawbackFen)),
    shortfallFen > 0 && row(say(['已用赠送抵扣', 'Less bonus spent']), yuan(-shortfallFen)),
    row(say(['应退', 'To refund']), yuan(payFen), 'sum'),
  )
const line = ({ refundNo, payFen, state, appliedAt, failure }: Back) =>
  node(
    'li',
    { className: 'line' },
    node(
      'span',
      {},
      say(STATES[state] ?? ['', '']),
      node('small', { textContent: [failure, refundNo, moment(appliedAt)].filter(Boolean).join(' · ') }),
    ),
    node('span', { className: 'sum', textContent: yuan(payFen) }),
  )
