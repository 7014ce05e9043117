import { Button } from 'antd'
import { useState } from 'react'
import type { Call, Page, Paged } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { type Column, ListScreen, type RowAction, type Toolbar } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { GateName, ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { SectionName, SectionSelect } from '../../roadside/web/api/names.tsx'
import { OrderType } from '../../settlement/contract/order.ts'
import { refund } from '../../settlement/contract/refund.ts'
import { waiver } from '../../settlement/contract/waiver.ts'
import { Refunding } from '../../settlement/web/api/OrderDialogs.tsx'
import { appeal } from '../contract/appeal.ts'
import { closing } from '../contract/closing.ts'
import { dun } from '../contract/dun.ts'
import { type ArrearsRecord, ArrearsState, ExceptionType, recordSearch } from '../contract/file.ts'
import { type ArrearsStory, type ArrearsSummary, record } from '../contract/record.ts'
import { repay } from '../contract/repayment.ts'
import { DEBT_CHANGES } from './changes.ts'
import { Asking, type Asked, OpenFile, type What } from './DebtDialogs.tsx'
import { DebtFigures } from './DebtFigures.tsx'
import { DebtHead, DebtStory } from './DebtStory.tsx'

export type Debt = Of<typeof ArrearsRecord>
type Criteria = Omit<Of<typeof record.list.input>, keyof Paged<{}>>
export const TOPIC = 'arrears.record'
interface Props {
  purpose: Text
  query: Call<Of<typeof record.list.input>, Page<Debt>>
  summary: Call<Of<typeof record.summary.input>, Of<typeof ArrearsSummary>>
  exports: typeof record.export
  only?: Criteria | undefined
  /** Of lanes: who let it out, and where. */
  lane?: boolean
  /** At the roadside: in which section. */
  section?: boolean
  /** Where a stay that nobody noticed is put on file by hand. */
  opens?: boolean
}

/** A section is looked for and shown by its name. */
export const sectionSearch = { name: 'sectionCode', label: ['路段', 'Section'], control: <SectionSelect /> } as const
export const sectionColumn = (say: (text: Text) => string): Column<Debt> => ({
  dataIndex: 'sectionCode',
  title: say(['路段', 'Section']),
  render: (_, row) => <SectionName code={row.sectionCode} />,
})

/** A list of debts with its figures; a debt opens its file. Several of one car are collected together. */
export function Debts({ purpose, query, summary, exports, only, lane = false, section = false, opens = false }: Props) {
  const [asked, setAsked] = useState<Asked>()
  const [opening, setOpening] = useState(false)
  const columns = useColumns(lane, section)
  const park = { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> } as const
  return (
    <>
      <ListScreen
        purpose={purpose}
        query={query as typeof record.list}
        search={recordSearch}
        {...(only && { only })}
        exports={exports}
        find={['plateNo', 'state', 'createdAt', park, ...(section ? [sectionSearch] : []), 'sourceType', 'escapeType', 'exceptionType', 'arrearsNo']}
        sum={{
          totals: ['amountFen', 'paidFen', 'waivedFen', 'writtenOffFen', 'revokedFen', 'owedFen'],
          figures: [
            { text: ['待缴', 'open'], leads: { state: [ArrearsState.open, ArrearsState.partly] } },
            { text: ['申诉中', 'appealed'], leads: { state: [ArrearsState.appealed] } },
            { text: ['证据不足', 'evidence missing'], leads: { exceptionType: [ExceptionType.evidence] } },
          ],
        }}
        ticks
        {...(opens && { add: { call: record.create, open: () => setOpening(true), text: ['欠费建档', 'Open a file'] as const } })}
        toolbar={(list) => <Together list={list} summary={summary} only={only} ask={setAsked} />}
        columns={columns}
        hidden={[
          'arrivedAt',
          'paidFen',
          'waivedFen',
          'writtenOffFen',
          'lastDunAt',
          'escapeType',
          'arrearsNo',
          'blacklisted',
          'operatorOut',
          'sourceType',
          'leftAt',
        ]}
        roomy={['parkCode', 'exceptionType', 'dunCount', 'exitGate']}
        live={TOPIC}
        actions={(row) => actionsOf(row, (what) => () => setAsked({ what, of: [row] }))}
        history={{ kind: 'arrears.record', changes: [query, record.detail] }}
        detail={{
          call: record.detail,
          head: (row) => <DebtHead of={row} />,
          act: (row) => (
            <>
              <GiveBack of={row} />
              <Next of={row} collect={() => setAsked({ what: 'collect', of: [row] })} />
            </>
          ),
          body: (row) => <DebtStory story={row} />,
        }}
        empty={['没有欠费：离场未缴的车会自动出现在这里', 'No arrears: stays that end unpaid appear here automatically']}
      />
      {opening && <OpenFile changes={[query, summary]} onClose={() => setOpening(false)} />}
      {asked && <Asking {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function useColumns(lane: boolean, section: boolean): Column<Debt>[] {
  const say = useText()
  return [
    'plateNo',
    'state',
    { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
    ...(section ? [sectionColumn(say)] : []),
    'amountFen',
    'owedFen',
    'createdAt',
    'sourceType',
    'exceptionType',
    'dunCount',
    ...(lane
      ? ([
          { dataIndex: 'exitGate', title: say(['出口', 'Exit']), render: (_: unknown, row: Debt) => <GateName code={row.exitGate} /> },
          'operatorOut',
        ] as const)
      : []),
    'arrivedAt',
    'leftAt',
    'paidFen',
    'waivedFen',
    'writtenOffFen',
    'lastDunAt',
    'escapeType',
    'arrearsNo',
    'blacklisted',
  ]
}

interface TogetherProps extends Pick<Props, 'summary' | 'only'> {
  list: Toolbar<Criteria, Debt>
  ask: (asked: Asked) => void
}
/** The actions on several debts at once. */
function Together({ list: { criteria, ticked, untick }, summary, only, ask }: TogetherProps) {
  const button = (what: What, needs: (typeof repay.collect)['needs'], text: Text) => (
    <Act text={text} needs={needs} disabled={ticked.length === 0} onClick={() => ask({ what, of: ticked, onDone: untick })}>
      {ticked.length > 0 && ` ${ticked.length}`}
    </Act>
  )
  return (
    <>
      {button('collect', repay.collect.needs, ['补缴', 'Collect'])}
      {button('dun', dun.send.needs, ['催缴', 'Send reminder'])}
      {button('writeOff', closing.writeOff.needs, ['坏账核销', 'Write off'])}
      <DebtFigures summary={summary} only={{ ...only, ...criteria }} />
    </>
  )
}

const demanded = ({ state }: Debt) => state === ArrearsState.open || state === ArrearsState.partly
export const isOver = ({ state }: Debt) => state === ArrearsState.repaid || state === ArrearsState.waived || state === ArrearsState.revoked
const OVER: Text = ['已结清的欠费不能再操作', 'Already settled; no further action is possible']
const OPEN_ONLY: Text = ['只有待缴的欠费可以这样处理', 'Only open arrears can be handled this way']
const NOT_AGAIN: Text = ['只有待缴或已补缴的欠费可以申诉', 'Only open or repaid arrears can be appealed']

function Next({ of, collect }: { of: Debt; collect: () => void }) {
  const say = useText()
  if (isOver(of) || !can(repay.collect.needs)) return null
  const fen = of.state === ArrearsState.writtenOff ? of.writtenOffFen : of.owedFen
  return (
    <Button type="primary" onClick={collect}>
      {say([`补缴 ¥${yuan(fen)}`, `Collect ¥${yuan(fen)}`])}
    </Button>
  )
}

/** Refunds a payment taken by mistake: all of it, or a part. A charge is refunded in its own records. */
function GiveBack({ of }: { of: Of<typeof ArrearsStory> }) {
  const say = useText()
  const [asking, setAsking] = useState(false)
  const order = { id: of.orderId, orderNo: of.orderNo, plateNo: of.plateNo }
  if (of.refundableFen <= 0 || of.orderType === OrderType.charging || !can(refund.apply.needs)) return null
  return (
    <>
      <Button onClick={() => setAsking(true)}>{say(['申请退款', 'Request refund'])}</Button>
      {asking && (
        <Refunding of={order} leftFen={of.refundableFen} owedAgain={of.owedFen > 0} changes={DEBT_CHANGES} onClose={() => setAsking(false)} />
      )}
    </>
  )
}

const actionsOf = (row: Debt, ask: (what: What) => () => void): RowAction[] => [
  { text: ['补缴', 'Collect'], needs: repay.collect.needs, run: ask('collect'), not: isOver(row) && OVER },
  { text: ['催缴', 'Send reminder'], needs: dun.send.needs, run: ask('dun'), not: !demanded(row) && OPEN_ONLY },
  { text: ['申诉', 'Appeal'], needs: appeal.apply.needs, run: ask('appeal'), not: !demanded(row) && row.state !== ArrearsState.repaid && NOT_AGAIN },
  { text: ['减免', 'Waive'], needs: waiver.apply.needs, run: ask('waive'), not: !demanded(row) && OPEN_ONLY },
  { text: ['坏账核销', 'Write off'], needs: closing.writeOff.needs, run: ask('writeOff'), not: !demanded(row) && OPEN_ONLY },
  { text: ['撤销', 'Revoke'], needs: closing.revoke.needs, run: ask('revoke'), not: !demanded(row) && OPEN_ONLY },
  { text: ['补证据', 'Add evidence'], needs: record.addEvidence.needs, run: ask('evidence') },
  { text: ['标记异常', 'Mark abnormal'], needs: record.suspect.needs, run: ask('suspect'), not: !demanded(row) && OPEN_ONLY },
]
