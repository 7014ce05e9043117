import { isPlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { keys, PLATE_MAX } from '../keys.ts'
import { picker, PICTURES_MAX } from '../picker.ts'
import { node } from '../node.ts'
import { say, type Text } from '../say.ts'
import { ways } from '../ways.ts'
import { appeal, appealPicture, bind, type Car, contest, licencePicture, setCar, sign, unbind, unsign } from './ask.ts'
import { button, empty, moment, type Page, words } from './parts.ts'

/** As in the contract's `VerifyState`. */
const [WAITING, VERIFIED, REJECTED, APPEALED] = [0, 1, 2, 3]
/** As in the contract's `PlateProof`: a pass of this telephone names the plate. */
const BY_PASS = 2
const STATES: Record<number, Text> = {
  0: ['待审核', 'Under review'],
  1: ['已认证', 'Verified'],
  2: ['未通过', 'Rejected'],
  3: ['申诉中', 'Appealed'],
}
const CARS_MAX = 5
/** As in the contract: a licence has two sides. */
const LICENCE_MAX = 4

let adding = false
let typed = ''
/** The licence of the plate that is being typed. */
let licence: File[] = []
/** The car that is about to be taken off, or about which something is being written. */
let asked: { id: string; what: 'unbind' | 'reason' } | undefined
let reason = ''
/** Pictures that prove whose the car is, chosen beside the reason. */
let pictures: File[] = []

export function carsPart(page: Page, cars: readonly Car[]): Node[] {
  if (adding) return addForm(page)
  return [
    ...(cars.length > 0
      ? cars.map((car) => carCard(page, car))
      : [empty(['还没有绑定车辆。绑定并通过认证后，可查看这辆车的账单。', 'No cars yet. Add a plate and have it verified to see its bills.'])]),
    cars.length < CARS_MAX
      ? button(['绑定车牌', 'Add a plate'], page, () => ((adding = true), (typed = ''), (licence = []), page.redraw()), 'main')
      : words(['每位车主最多绑定 5 辆车', 'Five cars at most'], 'aside'),
  ]
}

function carCard(page: Page, car: Car): HTMLElement {
  const { plateNo, verifyState, verdict, claimedUntil, isDefault, autoDebit } = car
  return node(
    'section',
    {},
    node('h2', { textContent: plateNo }),
    node('p', {
      className: `told s${verifyState === VERIFIED ? 3 : verifyState === REJECTED ? 5 : 0}`,
      textContent: say(STATES[verifyState] ?? ['', '']) + (isDefault ? say([' · 默认车辆', ' · default']) : ''),
    }),
    ...(verifyState === WAITING ? licenceOf(page, car) : []),
    verifyState === REJECTED && verdict !== null && words([`原因：${verdict}`, `Reason: ${verdict}`], 'aside'),
    claimedUntil !== null &&
      words(
        [
          `有人申请认证此车牌。如车辆属于您，请在 ${moment(claimedUntil)} 前提出异议，否则将转给对方。`,
          `Someone else has claimed this plate. If the car is yours, object by ${moment(claimedUntil)}, or the plate goes to them.`,
        ],
        'wrong',
      ),
    verifyState === APPEALED &&
      car.appeal !== null &&
      words([`已上传图片 ${car.appealPictures} 张`, `Pictures uploaded: ${car.appealPictures}`], 'aside'),
    verifyState === APPEALED &&
      car.appeal !== null &&
      car.appealPictures < PICTURES_MAX &&
      node(
        'label',
        { className: 'field' },
        node('span', { textContent: say(['补充图片', 'Add pictures']) }),
        picker(page.busy, (files) => page.doing(() => showAll(car, files))),
      ),
    asked?.id === car.id ? asking(page, car) : acts(page, car),
    verifyState === VERIFIED &&
      node(
        'label',
        { className: 'switch' },
        say(['离场时自动从余额扣费', 'Pay from balance automatically on exit']),
        checkbox(page, autoDebit, () => page.doing(() => setCar(car, { autoDebit: !autoDebit }))),
      ),
    ...(verifyState === VERIFIED ? agreementOf(page, car) : []),
  )
}
/** By what the car park will review the plate, or what it still lacks for it. */
function licenceOf(page: Page, car: Car): Node[] {
  const { proof, licencePictures } = car
  const lacks = proof === null
  const told: Text = lacks
    ? ['请上传行驶证照片，停车场凭此审核', 'Add pictures of the vehicle licence: the car park reviews the plate by them']
    : licencePictures > 0
      ? [`已上传行驶证 ${licencePictures} 张`, `Licence pictures added: ${licencePictures}`]
      : proof === BY_PASS
        ? ['本手机号已有该车的月卡，停车场凭此审核', 'This phone has a pass for the plate: the car park reviews it by that']
        : ['已在停车场登记', 'Taken down at the car park']
  const more = licencePictures < LICENCE_MAX
  const add = node(
    'label',
    { className: 'field' },
    node('span', { textContent: say(LICENCE) }),
    picker(page.busy, (files) => page.doing(() => showLicence(car, files))),
  )
  return [words(told, lacks ? 'wrong' : 'aside'), ...(more && (lacks || licencePictures > 0) ? [add] : [])]
}
const LICENCE: Text = [`行驶证照片（正、副页，最多 ${LICENCE_MAX} 张）`, `Pictures of the vehicle licence, both sides (up to ${LICENCE_MAX})`]
async function showLicence(car: Car, files: readonly File[]): Promise<void> {
  for (const file of files.slice(0, LICENCE_MAX - car.licencePictures)) await licencePicture(car, file)
}
const checkbox = (page: Page, checked: boolean, onchange: () => void) => node('input', { type: 'checkbox', checked, disabled: page.busy, onchange })

/** As in the contract's `AgreementState`. */
const SIGNED = 1
const NAMES: Record<number, Text> = { 1: ['微信', 'WeChat'], 2: ['支付宝', 'Alipay'] }
/** With whom the driver has agreed that fees are taken without asking; it is signed on the channel's own page. */
function agreementOf(page: Page, car: Car): Node[] {
  const { debitMethod, debitState } = car
  const begin = (payMethod: number) => () => page.doing(async () => location.assign((await sign(car, payMethod)).signUrl))
  const off = (text: Text) => button(text, page, () => page.doing(() => unsign(car)))
  const name = NAMES[debitMethod ?? 0]
  if (name && debitState === SIGNED)
    return [
      words([`${name[0]}免密支付：已开通，离场时自动扣费`, `${name[1]} automatic payment is on: the fee is taken as you leave`], 'aside'),
      node('div', { className: 'chips' }, off([`关闭${name[0]}免密支付`, `Turn off ${name[1]}`])),
    ]
  if (name)
    return [
      words([`${name[0]}免密支付：待您在${name[0]}同意`, `${name[1]} automatic payment: waiting for you to agree in ${name[1]}`], 'aside'),
      node('div', { className: 'chips' }, button(['继续开通', 'Continue'], page, begin(debitMethod!)), off(['取消开通', 'Cancel set-up'])),
    ]
  const offers = ways.map(({ payMethod }) =>
    button([`开通${NAMES[payMethod]![0]}免密支付`, `Pay automatically by ${NAMES[payMethod]![1]}`], page, begin(payMethod)),
  )
  return [node('div', { className: 'chips' }, ...offers)]
}

function acts(page: Page, car: Car): HTMLElement {
  const ask = (what: 'unbind' | 'reason') => () => ((asked = { id: car.id, what }), (reason = ''), (pictures = []), page.redraw())
  const speaks: Text | undefined = car.claimedUntil !== null ? ['提出异议', 'Object'] : car.verifyState === REJECTED ? ['申诉', 'Appeal'] : undefined
  return node(
    'div',
    { className: 'chips' },
    speaks && button(speaks, page, ask('reason')),
    !car.isDefault && button(['设为默认', 'Set as default'], page, () => page.doing(() => setCar(car, { isDefault: true }))),
    button(['解绑', 'Remove'], page, ask('unbind')),
  )
}
function asking(page: Page, car: Car): HTMLElement {
  const over = () => ((asked = undefined), page.redraw())
  const done = (work: () => Promise<unknown>) => page.doing(async () => void (await work(), (asked = undefined)))
  if (asked!.what === 'unbind')
    return node(
      'div',
      { className: 'chips' },
      words([`确定解绑 ${car.plateNo}？`, `Remove ${car.plateNo}?`]),
      button(['确定解绑', 'Yes, remove'], page, () => done(() => unbind(car))),
      button(['不解绑', 'Keep it'], page, over),
    )
  const text = node('textarea', {
    value: reason,
    maxLength: 500,
    rows: 3,
    ariaLabel: say(['说明', 'Reason']),
    placeholder: say(['请说明理由', 'Enter the reason']),
  })
  const objects = car.claimedUntil !== null
  const send = button(['提交', 'Submit'], page, () => done(() => (objects ? contest(car, reason) : appealed(car))), 'second')
  send.disabled ||= reason.trim() === ''
  text.addEventListener('input', () => ((reason = text.value), (send.disabled = page.busy || reason.trim() === '')))
  return node(
    'form',
    { onsubmit: (event: Event) => event.preventDefault() },
    text,
    !objects &&
      node(
        'label',
        { className: 'field' },
        node('span', { textContent: say(PICTURES) }),
        picker(page.busy, (files) => (pictures = files)),
      ),
    send,
    button(['取消', 'Cancel'], page, over, 'quiet'),
  )
}

const PICTURES: Text = [`行驶证等图片（最多 ${PICTURES_MAX} 张，可不传）`, `Pictures such as the vehicle licence (up to ${PICTURES_MAX}, optional)`]
async function appealed(car: Car): Promise<void> {
  const made = await appeal(car, reason)
  await showAll(made, pictures)
}
async function showAll(car: Car, files: readonly File[]): Promise<void> {
  for (const file of files.slice(0, PICTURES_MAX - car.appealPictures)) await appealPicture(car, file)
}

/** Bound first, then its pictures: what does not arrive is added on the car. */
async function bound(): Promise<void> {
  const car = await bind(typed)
  adding = false
  await showLicence(car, licence)
}
function addForm(page: Page): Node[] {
  const put = (next: string) => ((typed = normalizePlate(next)), page.redraw())
  const field = node('input', {
    value: typed,
    maxLength: PLATE_MAX,
    inputMode: 'none',
    spellcheck: false,
    ariaLabel: say(['车牌号', 'Plate']),
    placeholder: say(['请输入车牌号', 'Enter your plate']),
  })
  field.autocomplete = 'off'
  const send = node('button', { type: 'submit', className: 'main', disabled: page.busy || !isPlate(typed), textContent: say(['绑定', 'Add']) })
  field.addEventListener('input', () => ((typed = normalizePlate(field.value)), (send.disabled = page.busy || !isPlate(typed))))
  const onsubmit = (event: Event) => {
    event.preventDefault()
    if (isPlate(typed)) page.doing(bound)
  }
  return [
    node(
      'section',
      {},
      words(
        [
          '停车场凭行驶证审核，通过后显示账单；本手机号已有该车月卡的可不传照片。',
          'The car park reviews the plate by its licence; its bills are shown once verified. No pictures are needed where this phone has a pass for it.',
        ],
        'aside',
      ),
      node(
        'form',
        { onsubmit },
        field,
        node(
          'label',
          { className: 'field' },
          node('span', { textContent: say(LICENCE) }),
          picker(page.busy, (files) => (licence = files), licence),
        ),
        send,
        button(['取消', 'Cancel'], page, () => ((adding = false), page.redraw()), 'quiet'),
      ),
    ),
    keys(typed, put),
  ]
}
