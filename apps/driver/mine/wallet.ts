import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { type Back, type Home, type Movement, type Offer, recharge } from './ask.ts'
import { backCard } from './back.ts'
import { moment, type Page, payButtons, row } from './parts.ts'

/** As in the contract's `MovementKind`. */
const KINDS: Record<number, Text> = {
  1: ['充值', 'Recharge'],
  2: ['赠送', 'Bonus'],
  3: ['消费', 'Spent'],
  4: ['退款', 'Refund'],
  5: ['冻结', 'Frozen'],
  6: ['解冻', 'Unfrozen'],
  7: ['收回赠送', 'Bonus taken back'],
  8: ['合并', 'Merged'],
}
/** The amounts on offer besides the tiers of activities, in fen. */
const USUAL_FEN = [5_000, 10_000, 20_000, 50_000]
let chosenFen: number | undefined

export function walletPart(
  page: Page,
  { home, offers, movements, backs }: { home: Home; offers: Offer[]; movements: Movement[]; backs: Back[] },
): Node[] {
  const { principalFen, bonusFen, frozenFen, points, coupons } = home
  return [
    node(
      'section',
      {},
      node('h3', { textContent: say(['储值余额', 'Balance']) }),
      node('p', { className: 'due', textContent: yuan(principalFen + bonusFen) }),
      node(
        'dl',
        {},
        row(say(['本金', 'Principal']), yuan(principalFen)),
        row(say(['赠送', 'Bonus']), yuan(bonusFen)),
        frozenFen > 0 && row(say(['已冻结（退款或充电）', 'On hold (refund or charging)']), yuan(frozenFen)),
        coupons !== null && row(say(['可用优惠券', 'Coupons']), say([`${coupons} 张`, String(coupons)])),
        points !== null && row(say(['积分', 'Points']), String(points)),
      ),
    ),
    rechargeCard(page, offers),
    backCard(page, principalFen, backs),
    movements.length > 0 &&
      node('section', {}, node('h3', { textContent: say(['收支明细', 'Transactions']) }), node('ul', {}, ...movements.map(line))),
  ].filter((part) => part !== false)
}

function rechargeCard(page: Page, offers: readonly Offer[]): HTMLElement {
  const tiers = offers.flatMap((one) => one.tiers)
  const amounts = [...new Set([...tiers.map(({ payFen }) => payFen as number), ...USUAL_FEN])].sort((a, b) => a - b)
  const chosen = chosenFen ?? amounts[0]!
  const choice = (fen: number) => {
    const bonus = bonusFor(tiers, fen)
    const mark = node('input', { type: 'radio', name: 'recharge', checked: fen === chosen, onchange: () => ((chosenFen = fen), page.redraw()) })
    return node(
      'label',
      { className: 'amount' },
      mark,
      node('b', { textContent: yuan(fen) }),
      bonus > 0 && node('small', { textContent: say([`送 ${yuan(bonus)}`, `+ ${yuan(bonus)}`]) }),
    )
  }
  return node(
    'section',
    {},
    node('h3', { textContent: say(['充值', 'Recharge']) }),
    ...offers.map(({ name, endAt }) =>
      node('p', { className: 'aside', textContent: say([`${name}，至 ${moment(endAt)}`, `${name}, until ${moment(endAt)}`]) }),
    ),
    node('div', { className: 'amounts', role: 'radiogroup', ariaLabel: say(['充值金额', 'Amount']) }, ...amounts.map(choice)),
    ...payButtons(page, chosen, (way) => recharge(chosen, way)),
  )
}
/** The highest tier that is reached counts, alone. */
const bonusFor = (tiers: readonly { payFen: number; bonusFen: number }[], fen: number): number =>
  Math.max(0, ...tiers.filter(({ payFen }) => payFen <= fen).map(({ bonusFen }) => bonusFen))

/** Freezing and freeing change no balance: neither is money in or out. */
const ASIDE = [5, 6]
const line = ({ kind, amountFen, balanceAfterFen, cardNo, plateNo, remark, at }: Movement): HTMLElement =>
  node(
    'li',
    { className: 'line' },
    node(
      'span',
      {},
      say(KINDS[kind] ?? ['其他', 'Other']),
      node('small', {
        textContent: [cardNo !== null && say([`储值卡 ${cardNo}`, `Card ${cardNo}`]), plateNo ?? remark, moment(at)].filter(Boolean).join(' · '),
      }),
    ),
    node(
      'span',
      { className: 'sum' },
      ASIDE.includes(kind) ? yuan(Math.abs(amountFen)) : `${amountFen > 0 ? '+' : ''}${yuan(amountFen)}`,
      node('small', { textContent: say([`余额 ${yuan(balanceAfterFen)}`, `Balance ${yuan(balanceAfterFen)}`]) }),
    ),
  )
