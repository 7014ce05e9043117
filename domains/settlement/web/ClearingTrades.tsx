import { Alert, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { account } from '../../ledger/contract/account.ts'
import { type CheckDetail, CheckResult, Closing, CLOSINGS, detailSearch, DiffState, liquidation } from '../contract/liquidation.ts'
import { order } from '../contract/order.ts'
import { CLEARING, entriesOf, findChannel } from './ClearingDays.tsx'
import { channelName, settlingOf } from './clearingWords.ts'

type Row = Of<typeof CheckDetail>
type Asked = { what: 'settle' | 'add' | 'back'; of: Row }

/** Each trade as both sides have it; a difference is claimed, settled, and confirmed by another. */
export function ClearingTrades({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [asked, setAsked] = useState<Asked>()
  const actionsOf = useActions(setAsked)
  return (
    <>
      <ListScreen
        purpose={[
          '平台与渠道逐笔比对的结果；每笔差异有处理人、处理方式和分录。合计中退款为负',
          'Our transactions against the channel’s; every difference has a handler, a resolution and an entry. Refunds count as negative in the totals.',
        ]}
        query={liquidation.details}
        search={detailSearch}
        toolbar={toolbar}
        find={['checkDate', findChannel, 'result', 'diffState', 'tradeNo', 'orderNo', 'kind']}
        sum={{
          totals: ['platFen', 'chanFen', 'diffFen', 'feeFen'],
          figures: [
            { text: ['待认领', 'unclaimed'], leads: { diffState: [DiffState.unclaimed] } },
            { text: ['待复核', 'pending review'], leads: { diffState: [DiffState.toReview] } },
          ],
        }}
        exports={liquidation.detailExport}
        columns={[
          'checkDate',
          { dataIndex: 'channel', title: say(['渠道', 'Channel']), render: (_, row) => say(channelName(row.channel)) },
          'kind',
          'result',
          'diffState',
          'platFen',
          'chanFen',
          'diffFen',
          'ownerName',
          'closing',
          'tradeNo',
          'orderNo',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'platTime',
          'chanTime',
          'payNo',
          'feeFen',
          'note',
          'settledName',
          'decidedName',
        ]}
        hidden={['orderNo', 'parkCode', 'platTime', 'chanTime', 'payNo', 'feeFen', 'note', 'settledName', 'decidedName']}
        roomy={['kind', 'ownerName']}
        actions={actionsOf}
        empty={['没有交易：导入渠道账单后出现', 'No transactions: they appear once a channel file is imported']}
      />
      {asked && <Asking {...asked} onAdd={() => setAsked({ what: 'add', of: asked.of })} onClose={() => setAsked(undefined)} />}
    </>
  )
}

/** The next actions on a difference: for the person who has claimed it, then for another. */
function useActions(ask: (asked: Asked) => void): (row: Row) => RowAction[] {
  const act = useAct(CLEARING)
  const me = person.use()?.custId
  const navigate = useNavigate()
  return (row) => {
    const which = { id: row.id, version: row.version }
    const open = row.diffState === DiffState.unclaimed || row.diffState === DiffState.claimed
    const another = row.ownerId !== null && row.ownerId !== (me as string) && owned(row)
    const review = row.diffState !== DiffState.toReview ? NOT_WAITING : row.settledId === (me as string) ? OWN : undefined
    return [
      {
        text: ['认领', 'Claim'],
        needs: liquidation.assign.needs,
        run: () => void act(liquidation.assign, which, { done: ['已认领', 'Claimed'] }),
        not: !open && EVEN,
      },
      { text: ['处理', 'Settle'], needs: liquidation.settle.needs, run: () => ask({ what: 'settle', of: row }), not: open ? another : EVEN },
      {
        text: ['补单', 'Add an order'],
        needs: liquidation.additionApply.needs,
        run: () => ask({ what: 'add', of: row }),
        not: open && row.result === CheckResult.over ? another : ONLY_OVER,
      },
      {
        text: ['复核通过', 'Confirm'],
        needs: liquidation.settleDecide.needs,
        not: review,
        run: () =>
          void act(
            liquidation.settleDecide,
            { ...which, pass: true },
            { ...settlingOf(row), act: ['复核通过', 'Confirm'], done: ['已平', 'Settled'] },
          ),
      },
      {
        text: ['查看订单', 'View order'],
        needs: order.info.needs,
        run: () => void navigate(`/operation/finance/${row.orderId}`),
        not: !row.orderId && NO_ORDER,
      },
      {
        text: ['查看分录', 'View entries'],
        needs: account.statement.needs,
        run: () => void navigate(entriesOf('clearing.over-short', row.channel, row.updatedAt)),
        not: !row.entryId && NO_ENTRY,
      },
      { text: ['驳回', 'Reject'], needs: liquidation.settleDecide.needs, run: () => ask({ what: 'back', of: row }), not: review },
    ]
  }
}
const NO_ORDER: Text = ['平台没有对应的订单', 'There is no order of ours for it']
const NO_ENTRY: Text = ['没有因差异记账', 'No entry was posted for it']
const EVEN: Text = ['该差异已提交或已平', 'Already submitted or settled']
const ONLY_OVER: Text = ['只有待处理的长款可以补单', 'Orders can only be added for an unresolved surplus']
const NOT_WAITING: Text = ['没有待复核的处理', 'Nothing to review']
const OWN: Text = ['提交人不能复核', 'You submitted it, so another person must review it']
const owned = ({ ownerName }: Row): Text => [
  `由 ${ownerName} 处理；要接过来，请先认领`,
  `${ownerName} is handling it; claim it first to take it over`,
]
/** How each resolution changes the money, by the kind of difference. */
const OVER_SHORT: Text = [
  '差额记入长短款，渠道在途以渠道账单为准',
  'The difference is booked as a surplus or shortage; money in transit follows the channel’s file',
]
const MEANS: Record<number, Text> = {
  [CheckResult.over]: [
    '长短款：差额记入长短款；补单：为这笔收款补一笔订单；退回：登记这笔收款并原路退回（须为本系统的支付单）',
    'Surplus/shortage: booked as such. Order added: an order is made for this money. Returned: the payment is recorded and goes back to the payer (it must be a payment of ours).',
  ],
  [CheckResult.short]: OVER_SHORT,
  [CheckResult.amount]: OVER_SHORT,
  [CheckResult.state]: [
    '按渠道账单确认收款：结清原订单；订单已付清或已取消的，原路退回',
    'The payment is taken as received: it settles its order, or goes back to the payer if the order was paid or cancelled',
  ],
}
/** Only what may end this difference. An order is added by a request of its own, which opens in its place. */
function Ways({ of, onAdd, ...rest }: { of: readonly number[]; onAdd?: () => void; id?: string; value?: number; onChange?: (way: number) => void }) {
  const say = useText()
  return (
    <Radio.Group
      {...rest}
      optionType="button"
      options={[...of, ...(onAdd ? [Closing.added] : [])].map((way) => ({
        value: way,
        label: say(Closing.entries[way as keyof typeof Closing.entries]),
      }))}
      onChange={({ target }) => (onAdd && target.value === Closing.added ? onAdd() : rest.onChange?.(target.value as number))}
    />
  )
}

function Asking({ what, of, onClose, onAdd }: Asked & { onClose: () => void; onAdd: () => void }) {
  const say = useText()
  const about = (
    <Alert
      type="info"
      title={
        <>
          {say(CheckResult.entries[of.result])} · {of.tradeNo} · {say(['平台', 'Ours'])} <Money fen={of.platFen} /> · {say(['渠道', 'Channel'])}{' '}
          <Money fen={of.chanFen} /> · {say(['差额', 'Difference'])} <Money fen={of.diffFen} />
        </>
      }
    />
  )
  const shared = { mode: 'new' as const, changes: CLEARING, onClose, about }
  const which = { id: of.id, version: of.version }
  const difference = `¥${yuan(of.diffFen)}`
  if (what === 'add')
    return (
      <FormDialog
        {...shared}
        title={[`申请补单 · ${difference}`, `Request an added order · ${difference}`]}
        entity={liquidation.additionApply.input}
        value={{ tradeNo: of.tradeNo ?? '' }}
        save={liquidation.additionApply}
        act={[`提交补单 ${difference}`, `Request ${difference}`]}
        done={['已提交，由另一人复核', 'Submitted; another person reviews it']}
        fields={[
          { name: 'orderNo', help: ['仍待支付的订单；没有订单时填停车记录', 'An order still to be paid; if there is none, enter the stay'] },
          { name: 'stayId', optional: true },
          'reason',
          'evidence',
        ]}
      />
    )
  if (what === 'back')
    return (
      <FormDialog
        {...shared}
        title={[`驳回处理 · 差额 ${difference}`, `Reject resolution · difference ${difference}`]}
        entity={liquidation.settleDecide.input}
        value={{ ...which, pass: false }}
        save={liquidation.settleDecide}
        act={['驳回', 'Reject']}
        done={['已驳回，由处理人重新处理', 'Rejected; its handler settles it again']}
        fields={['verdict']}
      />
    )
  const ways = CLOSINGS[of.result] ?? []
  const adds = of.result === CheckResult.over && can(liquidation.additionApply.needs)
  return (
    <FormDialog
      {...shared}
      title={[`处理差异 · ${difference}`, `Settle difference · ${difference}`]}
      entity={liquidation.settle.input}
      value={{ ...which, ...(ways[0] !== undefined && { closing: ways[0] as never }) }}
      save={liquidation.settle}
      act={['提交复核', 'Submit for review']}
      done={['已提交复核', 'Submitted for review']}
      fields={[{ name: 'closing', control: <Ways of={ways} {...(adds && { onAdd })} />, help: MEANS[of.result]! }, 'note']}
    />
  )
}
