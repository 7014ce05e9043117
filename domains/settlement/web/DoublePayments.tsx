import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { liquidation } from '../contract/liquidation.ts'
import { order } from '../contract/order.ts'
import { PaymentState } from '../contract/payment.ts'
import { refund } from '../contract/refund.ts'
import { type DoubleLine, doubleSearch } from '../contract/report.ts'
import { Refunding } from './api/OrderDialogs.tsx'

type Line = Of<typeof DoubleLine>
const CHANGES = [liquidation.doubles] as const

/** Money that came twice, after the end or in a wrong amount: the refund, its progress, and its handler. */
export function DoublePayments({ toolbar, openOrder }: { toolbar: ReactNode; openOrder: (id: string) => void }) {
  const say = useText()
  const [returning, setReturning] = useState<Line>()
  const [handing, setHanding] = useState<Line>()
  const actionsOf = useActions({ openOrder, giveBack: setReturning, handOver: setHanding })
  return (
    <>
      <ListScreen
        purpose={[
          '重复支付、取消后支付自动原路退回；金额异常由人核实后退回',
          'Duplicate payments and payments after cancellation are returned automatically; a wrong amount is checked first, then returned',
        ]}
        query={liquidation.doubles}
        search={doubleSearch}
        exports={liquidation.doubleExport}
        toolbar={toolbar}
        find={[
          'plateNo',
          'state',
          {
            name: 'ownerId',
            label: ['处理人', 'Handler'],
            control: <HandlerSelect placeholder={say(['全部', 'Any'])} />,
            shown: (id) => <HandlerName id={id} />,
          },
          'paidAt',
          findPark,
          'orderNo',
          'tradeNo',
          'payMethod',
        ]}
        sum={{ totals: ['receivedFen', 'refundFen'] }}
        columns={[
          'orderNo',
          'plateNo',
          'state',
          'ownerName',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'payMethod',
          'receivedFen',
          'refundFen',
          'paidAt',
          'tradeNo',
          'payNo',
          'ownedAt',
        ]}
        hidden={['payNo', 'ownedAt']}
        roomy={['parkCode', 'tradeNo']}
        actions={actionsOf}
        empty={['没有重复或异常的支付', 'No duplicate or wrong payments']}
      />
      {handing && <HandingOver of={handing} onClose={() => setHanding(undefined)} />}
      {returning && (
        <Refunding
          of={{ id: returning.orderId, orderNo: returning.orderNo, plateNo: returning.plateNo }}
          payment={returning}
          leftFen={leftOf(returning)}
          onClose={() => setReturning(undefined)}
        />
      )}
    </>
  )
}

interface Doors {
  openOrder: (id: string) => void
  giveBack: (of: Line) => void
  handOver: (of: Line) => void
}
/** The actions on a double payment: who handles it, and its refund. */
function useActions({ openOrder, giveBack, handOver }: Doors): (row: Line) => RowAction[] {
  const act = useAct(CHANGES)
  return (row) => [
    {
      text: ['接手', 'Take'],
      needs: liquidation.doubleTake.needs,
      run: () => void act(liquidation.doubleTake, { id: row.id, version: row.version }, { done: ['已接手', 'Taken'] }),
      not: row.ownerId ? [`${row.ownerName} 正在处理`, `${row.ownerName} is handling it`] : leftOf(row) === 0 && ALL_BACK,
    },
    {
      text: ['移交', 'Hand over'],
      needs: liquidation.doubleHandOver.needs,
      run: () => handOver(row),
      not: leftOf(row) === 0 ? ALL_BACK : !row.ownerId && ['还没有人接手', 'Not taken yet'],
    },
    { text: ['查看订单', 'View order'], needs: order.info.needs, run: () => openOrder(row.orderId) },
    { text: ['退回', 'Return'], needs: refund.apply.needs, run: () => giveBack(row), not: whyNot(row) },
  ]
}

function HandingOver({ of: { id, version, ownerName, plateNo, orderNo }, onClose }: { of: Line; onClose: () => void }) {
  return (
    <FormDialog
      title={[`移交重复支付 · ${plateNo ?? orderNo}`, `Hand over duplicate payment · ${plateNo ?? orderNo}`]}
      entity={liquidation.doubleHandOver.input}
      mode="edit"
      value={{ id, version } as never}
      save={liquidation.doubleHandOver}
      act={['移交', 'Hand over']}
      changes={CHANGES}
      done={['已移交', 'Handed over']}
      fields={[
        {
          name: 'personId',
          control: <HandlerSelect />,
          optional: true,
          help: [`现由 ${ownerName} 处理；不选则退回待接手`, `Handled by ${ownerName}; leave empty to put it back for anyone to take`],
        },
      ]}
      onClose={onClose}
    />
  )
}

const useHandlers = () =>
  useQuery({ ...asks(liquidation.doublePeople, {}, { quiet: true }), enabled: can(liquidation.doublePeople.needs), staleTime: 60_000 }).data ?? []
/** One of those who may see to such money. */
function HandlerSelect(props: { value?: string; onChange?: (id: string | undefined) => void; id?: string; placeholder?: string }) {
  const say = useText()
  const people = useHandlers()
  return (
    <Select
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      aria-label={say(['处理人', 'Handler'])}
      style={{ minWidth: 160 }}
      options={people.map(({ id, name }) => ({ value: id as string, label: name }))}
      {...(props as object)}
    />
  )
}
const HandlerName = ({ id }: { id: string }) => <>{useHandlers().find((one) => (one.id as string) === id)?.name ?? id}</>

const ALL_BACK: Text = ['已全部退回', 'Returned in full']
const leftOf = ({ receivedFen, refundFen }: Line) => receivedFen - refundFen
/** A double payment goes back by itself; if the channel refuses, it is sent again from its order. */
function whyNot(row: Line): Text | false {
  if (leftOf(row) === 0) return ALL_BACK
  return (
    row.state !== PaymentState.wrongAmount && [
      '系统正在自动退回；失败时请在订单中重新退款',
      'It is being returned automatically; if that fails, retry the refund from the order',
    ]
  )
}
