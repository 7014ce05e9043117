import { node } from '../node.ts'
import { say, yuan } from '../say.ts'
import { buyPass, type Car, type PassKind, type PassQuote, type Purchase, quotePass } from './ask.ts'
import { button, lastDay, moment, moreOrLess, type Page, payButtons, row, words } from './parts.ts'
import { HOURS, lengthOf, paying, PERIODS_MOST, priceOf, TAKEN } from './passTerms.ts'
import { plural } from '../../../platform/contract/plural.ts'

const DAY_MS = 86_400_000
/** As the server has it. */
const WITHIN_DAYS = 31
let wanted: Purchase | undefined
let quote: PassQuote | undefined

export const buying = (): boolean => wanted !== undefined
const dayOn = (days: number) => moment(new Date(Date.now() + days * DAY_MS).toISOString()).slice(0, 10)
const midnight = (day: string) => `${day}T00:00:00+08:00`
export function startBuying(kinds: readonly PassKind[], cars: readonly Car[]): void {
  const [kind] = kinds
  const plates = [(cars.find(({ isDefault }) => isDefault) ?? cars[0]!).plateNo]
  ;[wanted, quote] = [{ groupId: kind!.groupId, carFeesId: kind!.plans[0]!.id, plates, periods: 1, startAt: midnight(dayOn(0)) }, undefined]
}

export function buyForm(page: Page, kinds: readonly PassKind[], cars: readonly Car[]): Node[] {
  const chosen = wanted!
  const kind = kinds.find(({ groupId }) => groupId === chosen.groupId)
  const plan = kind?.plans.find(({ id }) => id === chosen.carFeesId)
  const put = (changes: Partial<Purchase>) => ((wanted = { ...chosen, ...changes }), (quote = undefined), page.redraw())
  const leave = button(['返回', 'Back'], page, () => ((wanted = undefined), page.redraw()), 'quiet')
  if (!kind || !plan) return [words(['该月卡已停售，请重新选择', 'This pass is no longer sold; choose another'], 'wrong'), leave]
  return [
    node('section', {}, node('h3', { textContent: say(['选择月卡', 'Choose a pass']) }), ...kinds.map((one) => kindChoice(page, one, chosen, put))),
    node(
      'section',
      {},
      carChoice(page, kind, cars, chosen, put),
      dateField(page, chosen, put),
      moreOrLess(page, ['时长', 'Duration'], lengthOf(plan, chosen.periods), chosen.periods, PERIODS_MOST, (periods) => put({ periods })),
      ...(quote ? told(page, kind, quote, chosen) : [asks(page, chosen)]),
    ),
    leave,
  ]
}
type Put = (changes: Partial<Purchase>) => void

function kindChoice(page: Page, { groupId, name, parkNames, placesLeft, review, plans }: PassKind, chosen: Purchase, put: Put): HTMLElement {
  const full = placesLeft === 0
  const asides = [
    parkNames.join(say(['、', ', '])),
    review && say(['需审核', 'review needed']),
    placesLeft !== null &&
      (full ? say(['名额已满', 'no places left']) : say([`剩余 ${placesLeft} 个名额`, `${placesLeft} ${plural(placesLeft, 'place')} left`])),
  ]
  return node(
    'fieldset',
    {},
    node('legend', {}, name, node('small', { textContent: asides.filter(Boolean).join(' · ') })),
    ...plans.map((plan) =>
      node(
        'label',
        { className: 'amount' },
        node('input', {
          type: 'radio',
          name: 'plan',
          checked: plan.id === chosen.carFeesId && groupId === chosen.groupId,
          disabled: page.busy || full,
          onchange: () => put({ groupId, carFeesId: plan.id, plates: chosen.plates.slice(0, 1), periods: 1 }),
        }),
        node('b', { textContent: priceOf(plan) }),
        node('small', { textContent: `${plan.name} · ${say(HOURS[plan.timeWindow] ?? ['', ''])}` }),
      ),
    ),
  )
}
/** More cars than the kind takes are not to be chosen. */
function carChoice(page: Page, { maxCars }: PassKind, cars: readonly Car[], { plates }: Purchase, put: Put): HTMLElement {
  const one = ({ plateNo }: Car) => {
    const checked = plates.includes(plateNo)
    const onchange = () => put({ plates: maxCars === 1 ? [plateNo] : checked ? plates.filter((other) => other !== plateNo) : [...plates, plateNo] })
    const mark = node('input', {
      type: maxCars === 1 ? 'radio' : 'checkbox',
      name: 'cars',
      checked,
      disabled: page.busy || (!checked && maxCars > 1 && plates.length >= maxCars),
      onchange,
    })
    return node('label', { className: 'amount' }, mark, node('b', { textContent: plateNo }))
  }
  return node('fieldset', {}, node('legend', { textContent: say([`车辆，最多 ${maxCars} 辆`, `Cars, ${maxCars} at most`]) }), ...cars.map(one))
}
function dateField(page: Page, { startAt }: Purchase, put: Put): HTMLElement {
  const input = node('input', {
    type: 'date',
    value: startAt.slice(0, 10),
    min: dayOn(0),
    max: dayOn(WITHIN_DAYS - 1),
    required: true,
    disabled: page.busy,
    ariaLabel: say(['开始日期', 'From']),
  })
  input.addEventListener('change', () => input.value !== '' && put({ startAt: midnight(input.value) }))
  return node('label', {}, node('span', { textContent: say(['开始日期', 'From']) }), input)
}
function asks(page: Page, chosen: Purchase): HTMLElement {
  const ask = button(['查看价格', 'See the price'], page, () => page.looking(async () => void (quote = await quotePass(chosen))), 'main')
  ask.disabled ||= chosen.plates.length === 0
  return ask
}
function told(page: Page, { review }: PassKind, { startAt, endAt, payableFen, taken }: PassQuote, chosen: Purchase): Node[] {
  const again = async () => void (quote = await quotePass(chosen))
  const buy = (payMethod: number) =>
    paying(async () => {
      const started = await buyPass({ ...chosen, startAt, payableFen, payMethod })
      wanted = undefined
      return started
    }, again)
  const lines = node(
    'dl',
    {},
    row(say(['有效期', 'Valid']), `${moment(startAt).slice(0, 10)} – ${lastDay(endAt)}`),
    row(say(['应付', 'To pay']), yuan(payableFen), 'sum'),
  )
  if (taken) return [lines, words(TAKEN, 'wrong')]
  if (review)
    return [
      lines,
      words(['审核通过后，在此页支付。', 'Once approved, pay on this page.'], 'aside'),
      button(['提交申请', 'Submit request'], page, () => page.doing(() => buy(1)), 'main'),
    ]
  return [lines, ...payButtons(page, payableFen, buy)]
}
