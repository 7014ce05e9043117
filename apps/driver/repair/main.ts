import type { Of } from '../../../platform/contract/field.ts'
import type { Reportable } from '../../../domains/inspection/contract/repair.ts'
import { answered, post } from '../ask.ts'
import { node } from '../node.ts'
import { english, say, speak } from '../say.ts'

/** Behind the code on a device: whoever stands there says what is broken. */
type Shown = Of<typeof Reportable>
const ADDRESS = '/lbs/device/inspectionRepair'
const code = decodeURIComponent(location.pathname.split('/').at(-1)!)
const DESC_MAX = 300

let device: Shown | undefined
let isSent = false
let [desc, contact, trouble] = ['', '', '']
let busy = true

async function doing(work: () => Promise<void>): Promise<void> {
  ;[busy, trouble] = [true, '']
  draw()
  await work().catch((error: Error) => void (trouble = error.message))
  busy = false
  draw()
}
const load = () => doing(async () => void (device = await answered<Shown>(`${ADDRESS}/scanned?${new URLSearchParams({ code })}`)))
/** One press is one report, however often its request is sent. */
const send = () =>
  doing(async () => {
    const said = { code, desc: desc.trim(), ...(contact.trim() && { contact: contact.trim() }) }
    await post<Shown>(`${ADDRESS}/report`, said, { 'idempotency-key': crypto.randomUUID() })
    isSent = true
  })

function draw(): void {
  document.title = say(['设备报修', 'Report a fault'])
  const other = node('button', {
    type: 'button',
    className: 'quiet',
    textContent: english ? '中文' : 'English',
    onclick: () => (speak(!english), draw()),
  })
  document
    .querySelector('main')!
    .replaceChildren(
      node('header', {}, node('h1', { textContent: say(['设备报修', 'Report a fault']) }), other),
      ...(device ? [isSent ? thanks(device) : form(device)] : []),
      ...(trouble ? [node('p', { role: 'alert', textContent: trouble })] : []),
    )
}

function form({ deviceName }: Shown): HTMLElement {
  const words = node('textarea', { value: desc, maxLength: DESC_MAX, rows: 4, required: true, disabled: busy })
  words.addEventListener('input', () => (desc = words.value))
  const phone = node('input', { type: 'tel', value: contact, maxLength: 20, disabled: busy })
  phone.addEventListener('input', () => (contact = phone.value))
  return node(
    'section',
    {},
    node('p', { className: 'aside', textContent: deviceName }),
    node(
      'form',
      { onsubmit: (event: Event) => (event.preventDefault(), desc.trim() && void send(), undefined) },
      node('label', { className: 'field' }, node('span', { textContent: say(['哪里坏了？', 'What is broken?']) }), words),
      node('label', { className: 'field' }, node('span', { textContent: say(['联系电话（选填）', 'Phone (optional)']) }), phone),
      node('button', { type: 'submit', className: 'main', disabled: busy, textContent: say(['提交报修', 'Submit']) }),
    ),
  )
}
const thanks = ({ deviceName }: Shown) =>
  node(
    'section',
    {},
    node('p', { className: 'aside', textContent: deviceName }),
    node('p', { role: 'status', textContent: say(['已收到报修，谢谢', 'Report received. Thank you']) }),
  )

speak(english)
draw()
void load()
