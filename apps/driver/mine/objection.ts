import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { object, type Objections } from './ask.ts'
import { button, choice, moment, type Page, words } from './parts.ts'

/** As in the contract's `ObjectionReason`. */
const REASONS: readonly (readonly [code: number, text: Text])[] = [
  [1, ['金额不对', 'Wrong amount']],
  [2, ['入离场时间不对', 'Wrong entry or exit time']],
  [3, ['不是我的车', 'Not my car']],
  [4, ['重复收费', 'Charged twice']],
  [5, ['优惠或月卡未生效', 'Discount or pass not applied']],
  [6, ['其他', 'Other']],
]
/** As in the contracts' `OrderState` of work orders and `Finding`. */
const [WAITING, SOLVED, CLOSED, CANCELLED] = [3, 4, 5, 8]
const [UPHELD, UNFOUNDED] = [1, 2]
const WORDS_MAX = 500

/** The objection being written against the open bill. */
let asked: { reason: number | undefined; content: string } | undefined
export const forgetObjection = () => void (asked = undefined)

/** The objections to a bill with the staff's answers; where there are none, a way to object. */
export function objectionsPart(
  page: Page,
  orderNo: string,
  { mayObject, objections }: Objections,
  told: (now: Objections) => void,
): HTMLElement | false {
  const send = () =>
    page.doing(async () => {
      told(await object(orderNo, asked!.reason!, asked!.content.trim()))
      asked = undefined
    })
  const begin = () => ((asked = { reason: undefined, content: '' }), page.redraw())
  return (
    (mayObject || objections.length > 0) &&
    node(
      'div',
      { className: 'objections' },
      ...objections.flatMap(standing),
      mayObject && (asked ? form(page, asked, send) : button(['我对账单有异议', 'Object to this bill'], page, begin)),
    )
  )
}

type Objection = Objections['objections'][number]
const standing = (one: Objection): HTMLElement[] => {
  const { objectionNo, content, createdAt, answer } = one
  return [
    node('p', { className: 'told', textContent: say(stateOf(one)) }),
    node('p', { className: 'aside', textContent: `${objectionNo} · ${moment(createdAt)}` }),
    words([`您的异议：${content}`, `Your objection: ${content}`]),
    ...(answer === null ? [] : [words([`停车场答复：${answer}`, `The car park’s answer: ${answer}`])]),
  ]
}
function stateOf({ state, finding, remedyFen }: Objection): Text {
  if (state === CANCELLED) return ['异议已取消，未作认定', 'Objection cancelled without a decision']
  if (state === WAITING) return ['异议待您补充，工作人员将与您联系', 'We need more from you for the objection and will contact you']
  if (state !== SOLVED && state !== CLOSED) return ['异议处理中', 'Objection under review']
  if (finding === UNFOUNDED) return ['异议不成立', 'Objection not upheld']
  if (finding !== UPHELD) return ['异议已处理', 'Objection settled']
  return remedyFen === null
    ? ['异议成立', 'Objection upheld']
    : [`异议成立，退还 ${yuan(remedyFen)}`, `Objection upheld: ${yuan(remedyFen)} goes back`]
}

function form(page: Page, about: NonNullable<typeof asked>, send: () => void): HTMLElement {
  const names = REASONS.map(([, text]) => say(text))
  const chosen = REASONS.findIndex(([code]) => code === about.reason)
  const ready = () => about.reason !== undefined && about.content.trim() !== ''
  const text = node('textarea', {
    value: about.content,
    maxLength: WORDS_MAX,
    rows: 3,
    ariaLabel: say(['说明', 'Explanation']),
    placeholder: say(['请说明哪里不对', 'Say what is wrong']),
  })
  const submit = button(['提交异议', 'Submit objection'], page, send, 'second')
  submit.disabled ||= !ready()
  text.addEventListener('input', () => ((about.content = text.value), (submit.disabled = page.busy || !ready())))
  return node(
    'form',
    { onsubmit: (event: Event) => event.preventDefault() },
    choice(page, ['异议原因', 'Reason'], names, names[chosen] ?? '', (one) => (about.reason = REASONS[names.indexOf(one)]![0])),
    text,
    submit,
    button(['取消', 'Cancel'], page, () => (forgetObjection(), page.redraw()), 'quiet'),
  )
}
