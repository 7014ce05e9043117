import type { Of } from '../../../platform/contract/field.ts'
import type { Rated } from '../../../domains/after-sale/contract/evaluation.ts'
import { answered, post } from '../ask.ts'
import { node } from '../node.ts'
import { english, say, speak, type Text } from '../say.ts'

/** Behind the link that a customer is sent when what they brought up is closed: one order, rated once. */
type Shown = Of<typeof Rated>
const ADDRESS = '/lbs/basic/workOrder'
const code = location.pathname.split('/').at(-1)!
const WORDS: readonly Text[] = [
  ['很差', 'Very bad'],
  ['差', 'Bad'],
  ['一般', 'Fair'],
  ['好', 'Good'],
  ['很好', 'Very good'],
]
const CONTENT_MAX = 500
/** As in the contract's `OrderType`. */
const TYPES: Readonly<Record<number, Text>> = {
  1: ['咨询', 'Question'],
  2: ['投诉', 'Complaint'],
  3: ['报修', 'Repair'],
  4: ['退款', 'Refund'],
  5: ['建议', 'Suggestion'],
  6: ['车牌申诉', 'Plate appeal'],
  7: ['计费争议', 'Fee dispute'],
}

let order: Shown | undefined
let score = 0
let content = ''
let trouble = ''
let busy = true

async function doing(work: () => Promise<Shown>): Promise<void> {
  ;[busy, trouble] = [true, '']
  draw()
  await work().then(
    (found) => void (order = found),
    (error: Error) => void (trouble = error.message),
  )
  busy = false
  draw()
}
const load = () => doing(() => answered<Shown>(`${ADDRESS}/evaluation?${new URLSearchParams({ code })}`))
/** One press is one rating, however often its request is sent. */
const send = () =>
  doing(() =>
    post<Shown>(
      `${ADDRESS}/evaluate`,
      { code, score, ...(content.trim() && { content: content.trim() }) },
      { 'idempotency-key': crypto.randomUUID() },
    ),
  )

function draw(): void {
  document.title = say(['服务评价', 'Rate our service'])
  document
    .querySelector('main')!
    .replaceChildren(
      node(
        'header',
        {},
        node('h1', { textContent: say(['服务评价', 'Rate our service']) }),
        node('button', { type: 'button', className: 'quiet', textContent: english ? '中文' : 'English', onclick: () => (speak(!english), draw()) }),
      ),
      ...(order ? [order.open ? form(order) : over(order)] : []),
      ...(trouble ? [node('p', { role: 'alert', textContent: trouble })] : []),
    )
}
const about = ({ type, orderNo }: Shown) => node('p', { className: 'aside', textContent: `${say(TYPES[type] ?? ['工单', 'Order'])} ${orderNo}` })

function form(of: Shown): HTMLElement {
  const words = node('textarea', { value: content, maxLength: CONTENT_MAX, rows: 4, disabled: busy })
  words.addEventListener('input', () => (content = words.value))
  const scores = WORDS.map((word, at) =>
    node(
      'button',
      { type: 'button', ariaPressed: String(score === at + 1), disabled: busy, onclick: () => ((score = at + 1), draw()) },
      String(at + 1),
      node('small', { textContent: say(word) }),
    ),
  )
  return node(
    'section',
    {},
    about(of),
    node('p', { textContent: say(['这次处理您满意吗？', 'How satisfied are you with how this was handled?']) }),
    node('div', { className: 'rate-scores', role: 'group', ariaLabel: say(['评分', 'Score']) }, ...scores),
    node(
      'form',
      { onsubmit: (event: Event) => (event.preventDefault(), score > 0 && void send(), undefined) },
      node('label', { className: 'field' }, node('span', { textContent: say(['补充说明（选填）', 'Anything to add (optional)']) }), words),
      node('button', { type: 'submit', className: 'main', disabled: busy || score === 0, textContent: say(['提交评价', 'Submit']) }),
    ),
  )
}
const over = (of: Shown) =>
  node(
    'section',
    {},
    about(of),
    node('p', {
      role: 'status',
      textContent: of.score
        ? say([`您的评分：${of.score} 分，谢谢`, `Your score: ${of.score} of 5. Thank you`])
        : say(['正在处理中，关闭后再评价', 'Still being handled: rate it once it is closed']),
    }),
  )

speak(english)
draw()
void load()
