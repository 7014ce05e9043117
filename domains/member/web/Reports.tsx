import { Button, Modal } from 'antd'
import { useState } from 'react'
import { searchOf } from '../../../platform/contract/call.ts'
import { type Of, text } from '../../../platform/contract/field.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { type MemberRow, memberRowSearch, MovementKind, movementSearch, report, type ReportRow, reportSearch } from '../contract/amount.ts'
import { memberSheet, RechargeRow } from '../contract/memberSheet.ts'
import { GroupSelect } from './names.tsx'

const MONTHS = {
  monthFrom: text('自月份', 'From month', { min: 7, max: 7 }),
  monthTo: text('至月份', 'To month', { min: 7, max: 7 }),
}
const rechargeSearch = searchOf(RechargeRow, { day: 'between', parkCode: 'equals' }, { sort: ['day'] })
interface Behind {
  title: string
  input: { row?: string; memberId?: string; figure: 1 | 2 | 3 }
}
const FIGURES = [
  ['rechargeFen', MovementKind.recharged],
  ['refundFen', MovementKind.refunded],
  ['consumedFen', MovementKind.consumed],
] as const

const PURPOSE: Text = [
  '期初 + 充值 − 退款 − 消耗 = 期末，与总账一致；点数字看明细',
  'Opening + recharged − refunded − consumed = closing, as in the ledger; click a figure for its lines',
]
const PARK = { dataIndex: 'parkCode' as const, render: (_: unknown, row: { parkCode: string }) => <ParkName code={row.parkCode} /> }

/** Opening + recharged − refunded − consumed = closing: a figure opens the ledger's lines behind it. */
export function Reports({ which }: { which: string }) {
  const [behind, setBehind] = useState<Behind>()
  return (
    <>
      {which === 'months' && <ByMonth open={setBehind} />}
      {which === 'customers' && <ByCustomer open={setBehind} />}
      {which === 'recharges' && <ByDay />}
      {behind && <Lines of={behind} onClose={() => setBehind(undefined)} />}
    </>
  )
}

type Open = (behind: Behind) => void
interface Sums {
  rechargeFen: number
  refundFen: number
  consumedFen: number
}
/** A figure that is not nothing opens what it is made of. */
const figuresOf = <T extends Sums>(open: Open, of: (row: T) => { title: string; input: Omit<Behind['input'], 'figure'> }) =>
  FIGURES.map(([name, figure]) => ({
    dataIndex: name,
    render: (_: unknown, row: T) => {
      const { title, input } = of(row)
      const money = <Money fen={row[name]} />
      return row[name] ? (
        <Button type="link" size="small" onClick={() => open({ title, input: { ...input, figure } })}>
          {money}
        </Button>
      ) : (
        money
      )
    },
  }))

const ByMonth = ({ open }: { open: Open }) => (
  <ListScreen
    title={['月报', 'By month']}
    purpose={PURPOSE}
    query={report.form}
    search={reportSearch}
    extra={MONTHS}
    find={['month', findPark, { name: 'groupId', control: <GroupSelect /> }, 'monthFrom', 'monthTo']}
    columns={[
      'month',
      PARK,
      'groupName',
      'openingFen',
      ...figuresOf<Of<typeof ReportRow>>(open, (row) => ({ title: row.month, input: { row: row.id } })),
      'closingFen',
    ]}
  />
)
const ByCustomer = ({ open }: { open: Open }) => (
  <ListScreen
    title={['客户明细', 'By customer']}
    purpose={PURPOSE}
    query={report.detailed}
    search={memberRowSearch}
    extra={MONTHS}
    find={['customer', 'monthFrom', 'monthTo']}
    columns={[
      'customer',
      'phone',
      'openingFen',
      ...figuresOf<Of<typeof MemberRow>>(open, (row) => ({ title: row.customer, input: { memberId: row.id } })),
      'closingFen',
    ]}
  />
)
const ByDay = () => (
  <ListScreen
    title={['按日充值', 'By day']}
    purpose={['每天每个车场、月卡类型、套餐收了多少、退了多少', 'Paid and refunded, by day, car park, pass type and plan']}
    query={memberSheet.recharges}
    search={rechargeSearch}
    find={['day', findPark]}
    columns={['day', PARK, 'groupName', 'carFeesName', 'orders', 'paidFen', 'refundFen', 'netFen']}
    exports={memberSheet.exportRecharge}
  />
)
function Lines({ of, onClose }: { of: Behind; onClose: () => void }) {
  return (
    <Modal open width={900} footer={null} title={of.title} onCancel={onClose}>
      <ListScreen
        title={['明细', 'Lines']}
        purpose={['总账中的每一行', 'Every line of the ledger']}
        query={report.details}
        search={movementSearch}
        only={of.input as never}
        find={['day']}
        columns={['at', 'customer', 'passNo', 'kind', 'about', 'amountFen']}
      />
    </Modal>
  )
}
