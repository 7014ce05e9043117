import type { Bills, Charge } from './gunAsk.ts'
import { PERIODS, perKwh } from './gunShow.ts'
import { node } from './node.ts'
import { clock, say, type Text, yuan } from './say.ts'

/** As in `BillKind`. */
const KINDS: Record<number, Text> = { 1: ['充电账单', 'Charging bill'], 2: ['占位费', 'Idle fee'], 3: ['账单调整', 'Adjustment'] }
/** As in `RefundState`. */
const REFUNDS: Record<number, Text> = {
  0: ['待审核', 'to review'],
  1: ['退款中', 'refunding'],
  2: ['退款中', 'refunding'],
  3: ['已到账', 'refunded'],
  4: ['退款失败，请联系客服', 'failed: please call customer service'],
  5: ['未通过', 'rejected'],
}

/** The cost line by line, and where the money went. */
export const receipt = ({ openFen }: Charge, bills: Bills): Node[] => [
  ...bills.bills.map(oneBill),
  node(
    'section',
    {},
    node('h2', { className: 'small', textContent: say(['钱款去向', 'Payment and refund']) }),
    node(
      'dl',
      {},
      row(say(['预付', 'Prepaid']), bills.prepaidFen),
      row(say(['已用', 'Used']), bills.capturedFen),
      openFen > 0 && row(say(['占位费冻结', 'Idle fee on hold']), openFen),
      row(say(['退回', 'Refunded']), bills.returnedFen, 'sum'),
    ),
    ...bills.refunds.map(({ amountFen, state }) =>
      node('p', { className: 'aside', textContent: `${say(['退款', 'Refund'])} ${yuan(amountFen)} · ${say(REFUNDS[state]!)}` }),
    ),
    openFen > 0 &&
      node('p', { className: 'stood', textContent: say(['请尽快拔枪，拔枪后余款退回', 'Please unplug soon: the rest is refunded then']) }),
  ),
]
const row = (name: string, fen: number, className = '') =>
  node('div', { className }, node('dt', { textContent: name }), node('dd', { textContent: yuan(fen) }))

function oneBill({
  billNo,
  kind,
  energyWh,
  lines,
  elecFen,
  serviceFen,
  occupyFen,
  adjustFen,
  discountFen,
  discountName,
  payableFen,
  arrearsFen,
}: Bills['bills'][number]): HTMLElement {
  const head = energyWh > 0 ? `${say(KINDS[kind]!)} · ${(energyWh / 1000).toFixed(2)} ${say(['度', 'kWh'])}` : say(KINDS[kind]!)
  return node(
    'section',
    {},
    node('h2', { className: 'small', textContent: head }),
    node(
      'dl',
      {},
      ...lines.map((line) =>
        node(
          'div',
          {},
          node(
            'dt',
            {},
            `${clock(line.from)}–${clock(line.to)} ${say(PERIODS[line.kind]!)}`,
            node('small', {
              textContent: `${(line.wh / 1000).toFixed(3)} ${say(['度', 'kWh'])} × (${perKwh(line.elecPriceE4)} + ${perKwh(line.servicePriceE4)})`,
            }),
          ),
          node('dd', { textContent: yuan(line.elecFen + line.serviceFen) }),
        ),
      ),
      elecFen > 0 && row(say(['电费', 'Electricity']), elecFen),
      serviceFen > 0 && row(say(['服务费', 'Service']), serviceFen),
      occupyFen > 0 && row(say(['占位费', 'Idle fee']), occupyFen),
      adjustFen !== 0 && row(say(['调整', 'Adjustment']), adjustFen),
      discountFen > 0 && row(discountName ?? say(['优惠', 'Discount']), -discountFen),
      row(say(payableFen < 0 ? ['应退', 'To refund'] : ['应付', 'To pay']), Math.abs(payableFen), 'sum'),
      arrearsFen > 0 && row(say(['未付清部分转为欠费', 'Unpaid part, added to your arrears']), arrearsFen),
    ),
    node('p', { className: 'aside', textContent: billNo }),
  )
}
