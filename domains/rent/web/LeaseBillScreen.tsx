import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { awards, awardSearch } from '../contract/award.ts'
import { type Bill, contract, FeeKind, type OrderLine, OrderLineState, orderSearch } from '../contract/lease.ts'
import { CASH, OWN } from './parts.tsx'

type Row = Of<typeof OrderLine>
type Shown = 'money' | 'leases'
type Doing = { what: 'pay' | 'waive' | 'agree' | 'refuse'; row: Row }
const CHANGES = [contract.orders, contract.bills, contract.bill, awards.queryEnrollProject]
const OPEN: readonly number[] = [OrderLineState.toPay, OrderLineState.overdue]
const NOT_DUE: Text = ['没有待付的租金或押金', 'No rent or deposit to pay']

/** All money of leases, line by line; or lease by lease. */
export default function LeaseBillScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('money')
  const toolbar = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'money', label: say(['款项', 'Payments']) },
        { value: 'leases', label: say(['按项目', 'By project']) },
      ]}
    />
  )
  return shown === 'money' ? <Money toolbar={toolbar} /> : <Leases toolbar={toolbar} />
}

function Money({ toolbar }: { toolbar: ReactNode }) {
  const me = person.use()?.custId as string | undefined
  const [doing, setDoing] = useState<Doing>()
  return (
    <>
      <ListScreen
        purpose={[
          '租赁的全部款项：保证金、租金、押金、违约金与退款；逾期每日万分之五，最高 20%',
          'All lease payments: earnest money, rent, deposits, penalties and refunds; overdue rent costs 0.05% a day, 20% at most',
        ]}
        query={contract.orders}
        search={orderSearch}
        toolbar={toolbar}
        find={['feeKind', 'state', 'bidderName', 'projectName', 'dueDay', 'createdAt', 'billNo']}
        sum={{
          totals: ['receivableFen', 'receivedFen', 'overdueFen', 'pendingFen'],
          figures: [
            { text: ['逾期', 'overdue'], leads: { state: [OrderLineState.overdue] } },
            { text: ['待退', 'to refund'], leads: { state: [OrderLineState.returning] } },
          ],
        }}
        columns={[
          'projectName',
          'bidderName',
          'feeKind',
          'periodFrom',
          'periodTo',
          'receivableFen',
          'receivedFen',
          'pendingFen',
          'waivingFen',
          'dueDay',
          'state',
          'createdAt',
          'projectNo',
          'billNo',
        ]}
        hidden={['waivingFen', 'createdAt', 'projectNo', 'billNo']}
        roomy={['billNo', 'periodTo', 'periodFrom', 'projectName']}
        actions={(row) => actionsOf(row, me, setDoing)}
        empty={['还没有租赁款项', 'No lease payments yet']}
      />
      {doing?.what === 'pay' && <Take row={doing.row} onClose={() => setDoing(undefined)} />}
      {doing?.what === 'waive' && <Waive row={doing.row} onClose={() => setDoing(undefined)} />}
      {(doing?.what === 'agree' || doing?.what === 'refuse') && (
        <Decide row={doing.row} pass={doing.what === 'agree'} onClose={() => setDoing(undefined)} />
      )}
    </>
  )
}

const isBill = (row: Row) => row.billId !== null && OPEN.includes(row.state)
const actionsOf = (row: Row, me: string | undefined, setDoing: (doing: Doing) => void): RowAction[] =>
  row.feeKind !== FeeKind.penalty
    ? [
        {
          text: ['收款', 'Take payment'],
          needs: contract.payBill.needs,
          run: () => setDoing({ what: 'pay', row }),
          not: !isBill(row) && NOT_DUE,
        },
      ]
    : row.waivingFen > 0
      ? [
          {
            text: ['同意减免', 'Agree to waiver'] as Text,
            needs: contract.confirmWaiver.needs,
            run: () => setDoing({ what: 'agree', row }),
            not: row.waiveMakerId === me && OWN,
          },
          {
            text: ['不同意', 'Reject'] as Text,
            needs: contract.confirmWaiver.needs,
            run: () => setDoing({ what: 'refuse', row }),
            not: row.waiveMakerId === me && OWN,
          },
        ]
      : [
          {
            text: ['申请减免违约金', 'Request penalty waiver'],
            needs: contract.waive.needs,
            run: () => setDoing({ what: 'waive', row }),
            not: !isBill(row) && (['只能减免未付的违约金', 'Only an unpaid penalty can be waived'] as Text),
          },
        ]

/** Describes the parts of the amount besides the rent itself, if there are any. */
function madeOf({ penaltyFen, creditFen }: Of<typeof Bill>): Text {
  const parts: Text[] = [
    ...(penaltyFen > 0 ? [[`含违约金 ¥${yuan(penaltyFen)}`, `includes a penalty of ¥${yuan(penaltyFen)}`] as Text] : []),
    ...(creditFen > 0 ? [[`已扣除保证金抵付 ¥${yuan(creditFen)}`, `less ¥${yuan(creditFen)} covered by earnest money`] as Text] : []),
  ]
  if (parts.length === 0) return CASH
  const en = parts.map(([, one]) => one).join(', ')
  return [parts.map(([one]) => one).join('，'), en[0]!.toUpperCase() + en.slice(1)]
}
/** At the amount of this moment: the cashier sees it, and another is refused. */
function Take({ row, onClose }: { row: Row; onClose: () => void }) {
  const { data } = useQuery(asks(contract.bill, { id: row.billId! }, { quiet: true }))
  if (!data) return null
  const amountFen = (data.amountFen - data.creditFen + data.penaltyFen) as never
  return (
    <FormDialog
      title={[`收款 ¥${yuan(amountFen)} · ${row.billNo}`, `Take payment ¥${yuan(amountFen)} · ${row.billNo}`]}
      entity={contract.payBill.input}
      mode="new"
      value={{ id: data.id, payMethod: PayMethod.cash, amountFen }}
      save={contract.payBill}
      act={[`收款 ¥${yuan(amountFen)}`, `Take ¥${yuan(amountFen)}`]}
      done={['已办理', 'Done']}
      changes={CHANGES}
      fields={[{ name: 'payMethod', help: madeOf(data) }]}
      onSaved={(reply) => {
        const { payUrl } = reply as { payUrl: string | null }
        if (payUrl) open(payUrl, '_blank', 'noopener')
      }}
      onClose={onClose}
    />
  )
}

function Waive({ row, onClose }: { row: Row; onClose: () => void }) {
  const { data } = useQuery(asks(contract.bill, { id: row.billId! }, { quiet: true }))
  if (!data) return null
  return (
    <FormDialog
      title={[`申请减免违约金 ${row.billNo}`, `Request penalty waiver · ${row.billNo}`]}
      entity={contract.waive.input}
      mode="new"
      value={{ id: data.id, version: data.version, waivedFen: data.penaltyFen }}
      save={contract.waive}
      act={({ waivedFen }) => [`申请减免 ¥${yuan(waivedFen ?? 0)}`, `Request waiver of ¥${yuan(waivedFen ?? 0)}`]}
      done={['已申请，由另一人确认', 'Requested; another person confirms it']}
      changes={CHANGES}
      fields={['waivedFen', 'reason']}
      onClose={onClose}
    />
  )
}

/** By another than who asked, who reads what they asked and why. */
function Decide({ row, pass, onClose }: { row: Row; pass: boolean; onClose: () => void }) {
  const { data } = useQuery(asks(contract.bill, { id: row.billId! }, { quiet: true }))
  if (!data) return null
  const help: Text = [`${data.waiveMaker} 申请：${data.waiveReason}`, `Requested by ${data.waiveMaker}: ${data.waiveReason}`]
  return (
    <FormDialog
      title={
        pass
          ? [`同意减免 ¥${yuan(data.waivingFen)} · ${row.billNo}`, `Waive ¥${yuan(data.waivingFen)} · ${row.billNo}`]
          : [`不同意减免 ¥${yuan(data.waivingFen)} · ${row.billNo}`, `Reject waiver of ¥${yuan(data.waivingFen)} · ${row.billNo}`]
      }
      entity={contract.confirmWaiver.input}
      mode="new"
      value={{ id: data.id, version: data.version, pass }}
      save={contract.confirmWaiver}
      act={pass ? [`同意减免 ¥${yuan(data.waivingFen)}`, `Waive ¥${yuan(data.waivingFen)}`] : ['不同意', 'Reject']}
      done={pass ? ['已减免', 'Waived'] : ['已驳回，违约金不变', 'Rejected; the penalty stays']}
      changes={CHANGES}
      fields={[{ name: 'opinion', optional: true, help }]}
      onClose={onClose}
    />
  )
}

const Leases = ({ toolbar }: { toolbar: ReactNode }) => (
  <ListScreen
    purpose={['有账单的项目：账单、已收与逾期', 'Projects with bills: billed, paid, overdue']}
    query={awards.queryEnrollProject}
    search={awardSearch}
    exports={awards.export}
    only={{ hasOrder: true }}
    toolbar={toolbar}
    find={['projectName', 'bidderName', 'contractNo', 'contractState']}
    sum={{ totals: ['billsFen', 'paidFen', 'overdueFen'] }}
    columns={['projectName', 'bidderName', 'contractNo', 'contractState', 'fromDay', 'toDay', 'billsFen', 'paidFen', 'overdueFen']}
    empty={['还没有账单', 'No bills yet']}
  />
)
