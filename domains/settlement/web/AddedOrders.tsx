import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkName } from '../../parking/web/api/names.tsx'
import { AdditionBar, type AdditionLine, additionSearch, AdditionState, liquidation } from '../contract/liquidation.ts'
import { CLEARING, findChannel } from './ClearingDays.tsx'
import { channelName } from './clearingWords.ts'

type Row = Of<typeof AdditionLine>
const NOT_WAITING: Text = ['已复核', 'Already reviewed']
const OWN: Text = ['申请人不能复核，同一人也不能复核两次', 'You requested it or have already approved it']

const nameOf = (bar: keyof typeof AdditionBar.entries): Text => [AdditionBar.entries[bar][0], AdditionBar.entries[bar][1]]

/** Orders added for money that the channel has: asked for by one, granted by another, or by two others. */
export function AddedOrders({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const act = useAct(CLEARING)
  const me = person.use()?.custId
  const barred = (row: Row) =>
    row.state !== AdditionState.waiting
      ? NOT_WAITING
      : row.applicantId === (me as string) || row.firstApproverId === (me as string | null)
        ? OWN
        : undefined
  const [rejecting, setRejecting] = useState<Row>()
  const approve = (row: Row) => {
    const text: Text = [`同意补单 ¥${yuan(row.amountFen)}`, `Add order of ¥${yuan(row.amountFen)}`]
    void act(
      liquidation.additionDecide,
      { id: row.id, version: row.version, pass: true },
      { question: text, act: text, done: ['已复核', 'Reviewed'] },
    )
  }
  const actions = (row: Row): RowAction[] => [
    {
      text: ['通过', 'Approve'],
      needs: liquidation.additionDecide.needs,
      run: () => approve(row),
      not: barred(row) ?? (row.bar !== null && nameOf(row.bar)),
    },
    { text: ['驳回', 'Reject'], needs: liquidation.additionDecide.needs, run: () => setRejecting(row), not: barred(row) },
  ]
  return (
    <>
      <ListScreen
        purpose={[
          '渠道已收而平台没有订单的款项，凭证补录订单；同一流水号只能补一次',
          'Orders added on evidence for money that only the channel has; one order per transaction',
        ]}
        query={liquidation.additions}
        search={additionSearch}
        toolbar={toolbar}
        find={['checkDate', 'state', findChannel, 'tradeNo', 'additionNo']}
        sum={{ totals: ['amountFen'] }}
        exports={liquidation.additionExport}
        columns={[
          'additionNo',
          'checkDate',
          { dataIndex: 'channel', title: say(['渠道', 'Channel']), render: (_, row) => say(channelName(row.channel)) },
          'state',
          'amountFen',
          'tradeNo',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'orderNo',
          'reason',
          'applicantName',
          'firstApproverName',
          'secondApproverName',
          'evidence',
          'verdict',
          'createdAt',
        ]}
        hidden={['secondApproverName', 'evidence', 'verdict', 'createdAt']}
        roomy={['parkCode', 'reason', 'firstApproverName']}
        actions={actions}
        empty={['没有补单', 'No added orders']}
      />
      {rejecting && <Rejecting of={rejecting} onClose={() => setRejecting(undefined)} />}
    </>
  )
}

const Rejecting = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    title={[`驳回补单 ¥${yuan(of.amountFen)} · ${of.additionNo}`, `Reject added order of ¥${yuan(of.amountFen)} · ${of.additionNo}`]}
    entity={liquidation.additionDecide.input}
    mode="new"
    value={{ id: of.id, version: of.version, pass: false }}
    save={liquidation.additionDecide}
    act={['驳回补单', 'Reject added order']}
    done={['已驳回', 'Rejected']}
    changes={CLEARING}
    fields={[{ name: 'verdict', needed: true }]}
    onClose={onClose}
  />
)
