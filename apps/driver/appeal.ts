import { addPicture, appeal, type Appeal, type Debt, follow } from './debtsAsk.ts'
import { node } from './node.ts'
import { picker, PICTURES_MAX } from './picker.ts'
import { say, type Text, yuan } from './say.ts'

interface Doing {
  code: string
  plateNo: string
  busy: boolean
  run(work: () => Promise<void>): void
  draw(): void
  gone(ref: string): void
}
/** As in the contract's `AppealState` and `Appeal`. */
const STATES: Readonly<Record<number, Text>> = {
  0: ['待处理', 'Waiting'],
  1: ['申诉成立，欠费已撤销', 'Accepted: the fee is cancelled'],
  2: ['驳回', 'Rejected'],
  3: ['已补缴，申诉自动撤回', 'Paid, so the appeal was closed'],
}
const WAITING = 0
const REASON_MAX = 500
const CONTACT = '[0-9+\\- ]{5,32}'
const KEPT = 'driver/appeals'
const KEPT_MAX = 5

const typed = { reason: '', contact: '' }
let pictures: File[] = []
/** The known appeals by their numbers. */
const known = new Map<string, Appeal>()

/** Numbers of this telephone's appeals, the last one first. They are kept here only. */
function kept(): string[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(all) ? all.filter((one): one is string => typeof one === 'string').slice(0, KEPT_MAX) : []
  } catch {
    return []
  }
}
function keep(one: Appeal): void {
  known.set(one.appealNo, one)
  try {
    localStorage.setItem(KEPT, JSON.stringify([one.appealNo, ...kept().filter((no) => no !== one.appealNo)].slice(0, KEPT_MAX)))
  } catch {
    // A browser that keeps nothing: the number stands on the page.
  }
}

/** Why the driver does not owe it, how to reach them, and what shows it. */
export function appealForm({ ref, owedFen }: Debt, doing: Doing & { close(): void }): HTMLElement {
  const { code, plateNo, busy } = doing
  const reason = node('textarea', { value: typed.reason, maxLength: REASON_MAX, rows: 4, required: true, disabled: busy })
  reason.addEventListener('input', () => (typed.reason = reason.value))
  const contact = node('input', { type: 'tel', value: typed.contact, pattern: CONTACT, required: true, disabled: busy, autocomplete: 'tel' })
  contact.addEventListener('input', () => (typed.contact = contact.value))
  const send = () =>
    doing.run(async () => {
      const made = await appeal({ code, plateNo, debt: ref, reason: typed.reason.trim(), contact: typed.contact.trim() })
      keep(made)
      const chosen = pictures
      ;[typed.reason, pictures] = ['', []]
      doing.close()
      doing.gone(ref)
      for (const file of chosen) keep(await addPicture(code, made.appealNo, file))
    })
  return node(
    'section',
    { className: 'debts' },
    node('h2', { textContent: `${say(['申诉欠费', 'Appeal a fee'])} ${yuan(owedFen)}` }),
    node(
      'form',
      { onsubmit: (event: Event) => (event.preventDefault(), typed.reason.trim() !== '' && send(), undefined) },
      named(['申诉理由', 'Reason for the appeal'], reason),
      named(['联系电话', 'Contact phone'], contact),
      named(
        [`图片证据（最多 ${PICTURES_MAX} 张，可不传）`, `Pictures as evidence (up to ${PICTURES_MAX}, optional)`],
        picker(busy, (files) => (pictures = files)),
      ),
      node('button', { type: 'submit', className: 'main', disabled: busy, textContent: say(['提交申诉', 'Submit appeal']) }),
      node('button', { type: 'button', className: 'quiet', disabled: busy, textContent: say(['返回', 'Back']), onclick: doing.close }),
    ),
  )
}
const named = (text: Text, field: HTMLElement) => node('label', { className: 'field' }, node('span', { textContent: say(text) }), field)
/** How far the appeals of this telephone are. */
export function appealsKept(doing: Doing): Node[] {
  const numbers = kept()
  if (numbers.length === 0) return [byNumber(doing)]
  const look = () =>
    doing.run(async () => {
      for (const one of await Promise.all(numbers.map((no) => follow(doing.code, no).catch(() => undefined)))) if (one) known.set(one.appealNo, one)
    })
  return [
    node(
      'section',
      { className: 'debts' },
      node('h2', { textContent: say(['我的申诉', 'My appeals']) }),
      ...numbers.map((no) => progress(no, known.get(no), doing)),
      node('button', {
        type: 'button',
        className: 'quiet',
        disabled: doing.busy,
        textContent: say(['查询进度', 'Check progress']),
        onclick: look,
      }),
    ),
    byNumber(doing),
  ]
}
const SIGNS_MAX = 24
/** An appeal that was made on another telephone, or read out by the hotline. */
function byNumber({ code, busy, run }: Doing): HTMLElement {
  const field = node('input', {
    type: 'text',
    maxLength: SIGNS_MAX,
    required: true,
    disabled: busy,
    autocapitalize: 'characters',
    placeholder: 'SS 7K3M9 QXB24',
  })
  field.autocomplete = 'off'
  const find = () => run(async () => keep(await follow(code, field.value.trim())))
  return node(
    'details',
    { className: 'debts' },
    node('summary', { textContent: say(['用申诉单号查询', 'Find an appeal by its number']) }),
    node(
      'form',
      { onsubmit: (event: Event) => (event.preventDefault(), find(), undefined) },
      named(['申诉单号', 'Appeal number'], field),
      node('button', { type: 'submit', className: 'second', disabled: busy, textContent: say(['查询', 'Find']) }),
    ),
  )
}
/** In groups of five, as it is read out. */
const inGroups = (appealNo: string) => (appealNo.match(/^(SS)(.{5})(.{5})$/)?.slice(1) ?? [appealNo]).join(' ')
function progress(appealNo: string, of: Appeal | undefined, { code, busy, run }: Doing): HTMLElement {
  const more = (files: File[]) => {
    run(async () => {
      for (const file of files) keep(await addPicture(code, appealNo, file))
    })
  }
  return node(
    'div',
    { className: 'appeal' },
    node('p', { className: 'aside', textContent: `${say(['申诉单号', 'Appeal number'])} ${inGroups(appealNo)}` }),
    of && node('p', { role: 'status', textContent: `${say(STATES[of.state] ?? ['', ''])}${of.verdict ? ` · ${of.verdict}` : ''}` }),
    of?.state === WAITING &&
      node('p', { className: 'aside', textContent: say([`已上传图片 ${of.pictures} 张`, `Pictures uploaded: ${of.pictures}`]) }),
    of?.state === WAITING && of.pictures < PICTURES_MAX && named(['补充图片', 'Add pictures'], picker(busy, more)),
  )
}
