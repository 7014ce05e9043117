import { node } from '../driver/node.ts'
import { lasting, moment, say, yuan } from '../driver/say.ts'
import type { CarInside } from './ask.ts'

/** A few of the last signs are enough; with fewer too many cars fit. */
export const ENDING_MIN = 3
const ENDING_MAX = 6
const MINUTE_MS = 60_000

export interface Looking {
  ending: string
  /** Left out: nothing was looked for yet. */
  cars: readonly CarInside[] | undefined
  busy: boolean
  look(ending: string): void
  /** Keeps the typed text over a redraw. */
  keep(ending: string): void
  take(plate: string): void
}
/** Which cars of the merchant's parks end so: whether the guest's is there, since when, and what it owes. */
export function lookPart({ ending, cars, busy, look, keep, take }: Looking): HTMLElement {
  const field = node('input', {
    value: ending,
    maxLength: ENDING_MAX,
    autocapitalize: 'characters',
    spellcheck: false,
    placeholder: say(['车牌末 3 位以上', 'Last 3 signs or more']),
    ariaLabel: say(['车牌末几位', 'End of the plate']),
  })
  field.autocomplete = 'off'
  field.addEventListener('input', () => keep(field.value))
  const button = node('button', { type: 'submit', className: 'second', disabled: busy, textContent: say(['查在场', 'Find']) })
  const form = node('form', { className: 'asked' }, field, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const typed = field.value.trim().toUpperCase()
    if (typed.length >= ENDING_MIN) look(typed)
    else field.focus()
  })
  return node('section', {}, form, cars !== undefined && found(cars, take))
}
function found(cars: readonly CarInside[], take: (plate: string) => void): HTMLElement {
  if (cars.length === 0)
    return node('p', { className: 'aside', role: 'status', textContent: say(['没有这样的在场车辆', 'No car inside has such a plate']) })
  const row = (car: CarInside) =>
    node(
      'li',
      {},
      node(
        'button',
        { type: 'button', className: 'row', onclick: () => take(car.plateNo) },
        node('b', { textContent: car.plateNo }),
        ...standing(car),
      ),
    )
  return node('ul', {}, ...cars.map(row))
}
function standing({ parkName, entryTime, dueFen }: CarInside): HTMLElement[] {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(entryTime)) / MINUTE_MS))
  const due = dueFen === null ? '--' : yuan(dueFen)
  return [
    node('span', { textContent: say([`现在应付 ${due}`, `Due now ${due}`]) }),
    node('small', {
      textContent: say([
        `${parkName} · ${moment(entryTime)} 入场 · 已停 ${lasting(minutes)}`,
        `${parkName} · entered ${moment(entryTime)} · parked ${lasting(minutes)}`,
      ]),
    }),
  ]
}

/** Of the whole plate that stands there: a coupon for a car that has not come is no mistake, but it is said. */
export function stands(plate: string, cars: readonly CarInside[] | undefined): HTMLElement | undefined {
  if (cars === undefined) return undefined
  const car = cars.find(({ plateNo }) => plateNo === plate)
  if (car) return node('p', { className: 'inside' }, node('b', { textContent: say(['在场', 'Inside']) }), ...standing(car))
  return node('p', {
    className: 'aside',
    textContent: say([`${plate} 现在不在您的车场，优惠券到场后使用`, `${plate} is not in your car parks now; the coupon is used once it comes`]),
  })
}
