import type { Of } from '../../platform/contract/field.ts'
import type { advertisement } from '../../domains/merchant/contract/advertisement.ts'
import { post } from './ask.ts'
import { node } from './node.ts'
import { say } from './say.ts'

const ADDRESS = '/lbs/business/advertisement/serve'
/** As in the contract's `AdSlot`. */
export const HOME = 1
export const PAID = 2
type Slot = typeof HOME | typeof PAID

/** The advertisement for the scanned place, if there is one: it is labelled as such, and never in the way of paying. */
export async function advertisementAt(code: string, slot: Slot): Promise<HTMLElement | undefined> {
  const [one] = await post<Of<typeof advertisement.serve.reply>>(ADDRESS, { code, slot }).catch(() => [])
  if (!one) return undefined
  const picture = node('img', { src: one.media.split(',')[0]!.trim(), alt: one.name })
  const mark = node('small')
  const went = () => void post(ADDRESS, { code, slot, clicked: one.id }).catch(() => {})
  const shown = one.link
    ? node('a', { href: one.link, target: '_blank', rel: 'noopener noreferrer', onclick: went }, picture, mark)
    : node('div', {}, picture, mark)
  const whole = node('aside', { className: 'advertisement' }, shown)
  picture.addEventListener('error', () => whole.remove())
  return whole
}
/** In the language that the page has by now. */
export const name = (whole: HTMLElement) => void (whole.querySelector('small')!.textContent = say(['广告', 'Advertisement']))
