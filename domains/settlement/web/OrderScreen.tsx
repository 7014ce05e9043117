import { useQueryClient } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { useFrames } from '../../../platform/web/live.ts'
import { can } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Plate, State } from '../../../platform/web/value.tsx'
import { liquidation } from '../contract/liquidation.ts'
import { moneySheet } from '../contract/moneySheet.ts'
import { isAhead, type Order, order, orderCan, orderSearch, OrderStatus } from '../contract/order.ts'
import { refund } from '../contract/refund.ts'
import { waiver } from '../contract/waiver.ts'
import { AddedOrders } from './AddedOrders.tsx'
import { ClearingDays } from './ClearingDays.tsx'
import { ClearingTrades } from './ClearingTrades.tsx'
import { DoublePayments } from './DoublePayments.tsx'
import { RefundList } from './RefundList.tsx'
import { WaiverList } from './WaiverList.tsx'
import { CancelOrder, Collect, Refunding, Waiving } from './api/OrderDialogs.tsx'
import { OrderStoryOf } from './OrderStory.tsx'
import { ParkName, findPark } from '../../parking/web/api/names.tsx'
import './settlement.css'

type Row = Of<typeof Order>
const ORDER_TOPIC = 'settlement.order'
/** No ids: something may have been missed. */
const tellsOf = (ids: readonly string[], input: unknown) => ids.length === 0 || ids.includes((input as { id?: string } | undefined)?.id ?? '')
type Asked = { what: 'refund' | 'cash' | 'waive' | 'cancel'; of: Row }
export const leftOf = (row: Row) => row.paidFen - row.refundFen - row.refundingFen
const UNPAID: readonly number[] = [OrderStatus.unpaid, OrderStatus.paying, OrderStatus.arrears]
const unpaid = ({ status }: Row) => UNPAID.includes(status)

const ADDRESS = '/operation/finance'
const PAGES = {
  orders: ['订单', 'Orders'],
  refunds: ['退款', 'Refunds'],
  waivers: ['减免', 'Waivers'],
  days: ['渠道对账', 'Clearing'],
  trades: ['逐笔明细', 'Transactions'],
  additions: ['补单', 'Added orders'],
  doubles: ['重复支付', 'Duplicate payments'],
} as const
type Page = keyof typeof PAGES
const NEEDS: Partial<Record<Page, Parameters<typeof can>[0]>> = { refunds: refund.list.needs, waivers: waiver.list.needs }
const maySee = (page: Page) => page === 'orders' || can(NEEDS[page] ?? liquidation.totals.needs)
/** Payment orders, their refunds and waivers, and the clearing with the channels that brought their money: its days, its differences, orders added, money that waits to go back. */
export default function OrderScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const open = (Object.keys(PAGES) as Page[]).filter(maySee)
  const shown = open.find((page) => page === params.get('tab')) ?? 'orders'
  const openOrder = (id: string) => void navigate(`${ADDRESS}/${id}`)
  const toolbar = open.length > 1 && (
    <Segmented<Page>
      value={shown}
      onChange={(page) => setParams(page === 'orders' ? {} : { tab: page })}
      options={open.map((value) => ({ value, label: say(PAGES[value]) }))}
    />
  )
  if (shown === 'days') return <ClearingDays toolbar={toolbar} />
  if (shown === 'trades') return <ClearingTrades toolbar={toolbar} />
  if (shown === 'additions') return <AddedOrders toolbar={toolbar} />
  if (shown === 'doubles') return <DoublePayments toolbar={toolbar} openOrder={openOrder} />
  if (shown === 'waivers') return <WaiverList toolbar={toolbar} openOrder={openOrder} />
  if (shown === 'refunds') return <RefundList toolbar={toolbar} openOrder={openOrder} />
  return <Orders toolbar={toolbar} />
}

/** Every payment order: the amount due, the payments and their ways, the refunds. */
function Orders({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [asked, setAsked] = useState<Asked>()
  const cache = useQueryClient()
  // A refund that its channel has just paid shows in the open order too.
  useFrames(
    ORDER_TOPIC,
    ({ ids }) => void cache.invalidateQueries({ queryKey: [order.info.id], predicate: ({ queryKey }) => tellsOf(ids, queryKey[1]) }),
  )
  return (
    <>
      <ListScreen
        purpose={['每一笔支付订单：应收、支付方式与退款', 'Every payment order: amount due, payment method and refunds']}
        query={order.list}
        toolbar={toolbar}
        search={orderSearch}
        exports={moneySheet.orders}
        find={['plateNo', 'status', 'createdAt', findPark, 'payTime', 'payMethod', 'orderNo', 'type']}
        sum={{
          totals: ['receivableFen', 'discountFen', 'paidFen', 'refundFen', 'arrearsFen'],
          figures: [
            { text: ['待支付', 'unpaid'], leads: { status: [OrderStatus.unpaid, OrderStatus.paying] } },
            { text: ['欠费', 'in arrears'], leads: { status: [OrderStatus.arrears] } },
            { text: ['有退款', 'refunded'], leads: { status: [OrderStatus.partlyRefunded, OrderStatus.refunded] } },
          ],
        }}
        columns={[
          'orderNo',
          'plateNo',
          'status',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'createdAt',
          'receivableFen',
          'discountFen',
          'paidFen',
          'refundFen',
          'payMethod',
          'payTime',
          'operatorName',
          'type',
          'payableFen',
          'arrearsFen',
          'waivedFen',
          'tradeNo',
          'sourceType',
          'remark',
        ]}
        hidden={['refundFen', 'payTime', 'operatorName', 'type', 'payableFen', 'arrearsFen', 'waivedFen', 'tradeNo', 'sourceType', 'remark']}
        roomy={['parkCode', 'receivableFen', 'discountFen', 'payMethod']}
        live={ORDER_TOPIC}
        actions={(row) => actionsOf(row, (what) => () => setAsked({ what, of: row }))}
        detail={{
          call: order.info,
          head: (row) => (
            <>
              <Plate number={row.plateNo} color={row.plateColor} large /> <State dictionary={OrderStatus} value={row.status} /> {row.orderNo}
            </>
          ),
          act: (row) => <Next row={row} ask={(what) => setAsked({ what, of: row })} />,
          body: (row) => <OrderStoryOf story={row} />,
        }}
      />
      {asked && <Asking {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Asking({ what, of, onClose }: Asked & { onClose: () => void }) {
  if (what === 'refund') return <Refunding of={of} leftFen={leftOf(of)} owedAgain={of.arrearsFen > 0} onClose={onClose} />
  if (what === 'cash') return <Collect of={of} onClose={onClose} />
  if (what === 'waive') return <Waiving of={of} onClose={onClose} />
  return <CancelOrder of={of} onClose={onClose} />
}

/** The next sensible thing, with its amount in the button's text. */
function Next({ row, ask }: { row: Row; ask: (what: Asked['what']) => void }) {
  const say = useText()
  if (unpaid(row) && can(order.cash.needs))
    return (
      <Button type="primary" onClick={() => ask('cash')}>
        {say([`收现金 ¥${yuan(row.payableFen - row.paidFen)}`, `Take ¥${yuan(row.payableFen - row.paidFen)} in cash`])}
      </Button>
    )
  if (leftOf(row) > 0 && can(refund.apply.needs))
    return <Button onClick={() => ask('refund')}>{say([`申请退款 ¥${yuan(leftOf(row))}`, `Refund ¥${yuan(leftOf(row))}`])}</Button>
  return null
}

const NOT_PAID: Text = ['没有可退的金额', 'Nothing is left to refund']
const actionsOf = (row: Row, ask: (what: Asked['what']) => () => void): RowAction[] => [
  ...(unpaid(row) ? [{ text: ['收现金', 'Take cash'] as const, needs: order.cash.needs, run: ask('cash') }] : []),
  // A debt that is repaid in part may be both.
  ...(!unpaid(row) || leftOf(row) > 0
    ? [{ text: ['退款', 'Refund'] as const, needs: refund.apply.needs, run: ask('refund'), not: leftOf(row) <= 0 && NOT_PAID }]
    : []),
  {
    text: ['减免', 'Waive'],
    needs: waiver.apply.needs,
    run: ask('waive'),
    not:
      (orderCan.waive(row.status) === undefined && ['只有待支付或欠费的订单可以减免', 'Only an unpaid order or one in arrears can be waived']) ||
      (isAhead(row) && ['预付款不能减免', 'Money paid in advance cannot be waived']),
  },
  {
    text: ['取消订单', 'Cancel order'],
    needs: order.cancel.needs,
    run: ask('cancel'),
    danger: true,
    not: orderCan.cancel(row.status) === undefined && ['只有未付款的订单可以取消', 'Only an unpaid order can be cancelled'],
  },
]
