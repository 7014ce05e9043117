import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Space, Table } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { Link } from 'react-router'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { CashFace, shift, type ShiftDetail, ShiftLine, ShiftMoveKind, ShiftState } from '../../settlement/contract/shift.ts'
import { order } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { till, type Till, tillSearch } from '../contract/till.ts'
import { Closing } from './Closing.tsx'
import { CHANGES, ref, type TillOf } from './tillActs.ts'
import { Settling } from './Settling.tsx'
import { countOf, verifying } from './tillWords.ts'

type Row = Of<typeof Till>
type Detail = Of<typeof ShiftDetail>
export type What = 'deposit' | 'close' | 'takeOver' | 'settle'

/** Cash shifts: the money taken in each, and how its cash was counted, handed over, settled and verified. */
export function Tills({ purpose, toolbar }: { purpose: readonly [string, string]; toolbar: ReactNode }) {
  const say = useText()
  const [asked, setAsked] = useState<{ what: What; row: TillOf }>()
  const me = person.get()?.custId as string | undefined
  const ask = (what: What, row: TillOf) => setAsked({ what, row })
  const { actionsOf, reject } = useActions(me, ask)
  return (
    <>
      <ListScreen
        purpose={purpose}
        query={till.shifts}
        search={tillSearch}
        toolbar={
          <>
            {toolbar}
            <Mine onAsk={ask} onReject={reject} />
          </>
        }
        find={['workDate', 'state', 'tollType', findPark, 'shiftNo']}
        exports={till.shiftsExport}
        columns={columnsOf(say, me)}
        hidden={['tollType', 'overFen', 'underFen', 'closedAt', 'openingFloatFen', 'lateFen', 'openFen']}
        roomy={['scanFen', 'openedAt', 'depositFen', 'refundFen']}
        sum={{ totals: ['paidFen', 'cashFen', 'refundFen', 'netFen'] }}
        actions={actionsOf}
        {...(can(shift.detail.needs) && {
          detail: {
            call: shift.detail,
            head: (row: Detail) => (
              <>
                {row.shiftNo} <State dictionary={ShiftState} value={row.state} />
              </>
            ),
            act: (row: Detail) => <Acts of={actionsOf(row as never)} />,
            body: (row: Detail) => <Story of={row} />,
          },
        })}
        empty={['还没有收银班次', 'No cash shifts yet']}
      />
      {asked && <Asked {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say, me: string | undefined): Column<Row>[] => [
  'shiftNo',
  'workDate',
  'tollNo',
  'name',
  'tollType',
  'state',
  'orders',
  'paidFen',
  'cashFen',
  'scanFen',
  'refundFen',
  'netFen',
  'openingFloatFen',
  'depositFen',
  'overFen',
  'underFen',
  { dataIndex: 'expectedFen', render: (_, row) => (isBlind(row, me) ? <span className="faint">--</span> : <Money fen={row.expectedFen} />) },
  { dataIndex: 'countedFen', render: (_, row) => countOf(row, say) ?? <Money fen={row.countedFen} /> },
  { dataIndex: 'differenceFen', render: (_, row) => countOf(row, say) ?? <Money fen={row.differenceFen} /> },
  'openFen',
  'lateFen',
  'openedAt',
  'closedAt',
]

type Words = Record<'question' | 'act' | 'done', Text>
const REJECTED: Words = {
  question: ['拒绝后收银班次回到交班人手中继续进行', 'If rejected, the shift returns to the cashier who closed it and continues'],
  act: ['拒绝接班', 'Reject'],
  done: ['已拒绝', 'Rejected'],
}
const TAKEN_BACK: Words = {
  question: ['收回后收银班次继续进行，接班人不再收到交接', 'Once taken back, the shift continues and no longer waits for the incoming cashier'],
  act: ['收回交班', 'Take back'],
  done: ['已收回', 'Taken back'],
}
/** The actions on a till by its state, for its keeper, the taker or the person who settles it. */
function useActions(me: string | undefined, ask: (what: What, row: TillOf) => void) {
  const act = useAct(CHANGES)
  const giveBack = (row: Parameters<typeof ref>[0], words: Words) => void act(shift.takeOver, { ...ref(row), accept: false }, words)
  const reject = (row: Parameters<typeof ref>[0]) => giveBack(row, REJECTED)
  const actionsOf = (row: Row): RowAction[] => {
    // Of a till whose cash lies partly in parks that one does not see nothing is counted or settled.
    if (row.expectedFen === null) return []
    const mine = row.personId === me
    const taking = row.takerId === me
    const running = row.state === ShiftState.running
    const settles = row.state === ShiftState.difference && !mine && !taking
    const verifies = (row.state === ShiftState.handedOver || row.state === ShiftState.toSettle) && !mine && !taking && row.settledById !== me
    const take = taking && row.state === ShiftState.toTakeOver
    return [
      ...(mine && running
        ? [
            { text: ['交班', 'Close'] as const, needs: shift.close.needs, run: () => ask('close', row) },
            { text: ['上缴', 'Deposit'] as const, needs: shift.deposit.needs, run: () => ask('deposit', row) },
          ]
        : []),
      ...(take
        ? [
            { text: ['接班', 'Take over'] as const, needs: shift.takeOver.needs, run: () => ask('takeOver', row) },
            { text: ['拒绝', 'Reject'] as const, needs: shift.takeOver.needs, danger: true, run: () => reject(row) },
          ]
        : []),
      ...(mine && row.state === ShiftState.toTakeOver
        ? [{ text: ['收回交班', 'Take back'] as const, needs: shift.takeOver.needs, run: () => giveBack(row, TAKEN_BACK) }]
        : []),
      ...(settles ? [{ text: ['处理差异', 'Settle difference'] as const, needs: shift.settle.needs, run: () => ask('settle', row) }] : []),
      ...(verifies
        ? [
            {
              text: ['核验', 'Verify'] as const,
              needs: shift.verify.needs,
              run: () =>
                void act(shift.verify, ref(row), {
                  ...verifying(row),
                  act: ['核验', 'Verify'],
                  done: ['已核验', 'Verified'],
                }),
            },
          ]
        : []),
    ]
  }
  return { actionsOf, reject }
}

/** The actions on an open shift, as in its row. */
function Acts({ of }: { of: readonly RowAction[] }) {
  const say = useText()
  return of
    .filter(({ needs }) => can(needs))
    .map(({ text, run, danger }) => (
      <Button key={text[1]} danger={danger === true} onClick={run}>
        {say(text)}
      </Button>
    ))
}

/** A cashier's own till: it is opened here, and tills that others want to hand over wait here, also where the list does not show it: it may lie in parks that one does not see. */
function Mine({ onAsk, onReject }: { onAsk: (what: What, row: TillOf) => void; onReject: (row: Parameters<typeof ref>[0]) => void }) {
  const say = useText()
  const [opening, setOpening] = useState(false)
  const takes = can(shift.mine.needs)
  const { data: mine } = useQuery({ ...asks(shift.mine, {}, { quiet: true }), enabled: takes })
  const { data: toTake = [] } = useQuery({ ...asks(shift.toTake, {}, { quiet: true }), enabled: takes })
  if (!takes) return null
  return (
    <>
      {mine === null && <Button onClick={() => setOpening(true)}>{say(['开班', 'Open shift'])}</Button>}
      {mine && mine.expectedFen !== null && <Button onClick={() => onAsk('close', mine)}>{say(['我的收银班次：交班', 'Close my shift'])}</Button>}
      {toTake.map((one) => (
        <Space.Compact key={one.id}>
          <Button type="primary" onClick={() => onAsk('takeOver', one)}>
            {say([`接班：${one.personName}`, `Take over from ${one.personName}`])}
          </Button>
          <Button danger onClick={() => onReject(one)}>
            {say(['拒绝', 'Reject'])}
          </Button>
        </Space.Compact>
      ))}
      {opening && <Opening onClose={() => setOpening(false)} />}
    </>
  )
}

export const Opening = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['开班', 'Open shift']}
    entity={shift.open.input}
    mode="new"
    value={{ openingFloatFen: 0 as Fen }}
    save={shift.open}
    act={['开班', 'Open']}
    done={['已开班', 'Opened']}
    changes={CHANGES}
    fields={['openingFloatFen']}
    onClose={onClose}
  />
)

/** A person who counts their own till is not told what it should hold. */
export const isBlind = ({ state, personId }: Pick<Row, 'state' | 'personId'>, me: string | undefined): boolean =>
  state === ShiftState.running && personId === me

export function Asked({ what, row, onClose }: { what: What; row: TillOf; onClose: () => void }) {
  const say = useText()
  const common = { mode: 'new', changes: CHANGES, onClose } as const
  if (what === 'deposit')
    return (
      <FormDialog
        {...common}
        title={[`上缴现金 · ${row.shiftNo}`, `Deposit cash · ${row.shiftNo}`]}
        entity={shift.deposit.input}
        value={ref(row)}
        save={shift.deposit}
        act={({ amountFen }) => [`登记上缴 ¥${yuan(amountFen ?? 0)}`, `Record a deposit of ¥${yuan(amountFen ?? 0)}`]}
        done={['已登记上缴', 'Deposit recorded']}
        fields={['amountFen', 'voucherNo']}
      />
    )
  if (what === 'close') return <Closing row={row} onClose={onClose} />
  if (what === 'takeOver')
    return (
      <FormDialog
        {...common}
        title={[`接班 · ${row.shiftNo}`, `Take over · ${row.shiftNo}`]}
        entity={shift.takeOver.input}
        value={{ ...ref(row), accept: true }}
        save={shift.takeOver}
        act={({ countedFen }) => [`接班，实收 ¥${yuan(countedFen ?? 0)}`, `Take over ¥${yuan(countedFen ?? 0)}`]}
        done={['已接班', 'Taken over']}
        about={
          <Alert
            type="info"
            title={say([
              '请当面清点后填写实收现金，须与交班清点一致',
              'Count the cash together and enter the amount received: it must equal the count at closing',
            ])}
          />
        }
        fields={[{ name: 'countedFen', needed: true }]}
      />
    )
  return <Settling id={row.id} onClose={onClose} />
}

/** Later facts of the shift, shown where there are any. */
const LATER = [
  'overFen',
  'underFen',
  'openFen',
  'lateFen',
  'closeReason',
  'takerName',
  'takenAt',
  'settledWay',
  'settledNote',
  'settledByName',
  'settledAt',
  'confirmedByName',
  'verifiedByName',
  'verifiedAt',
] as const
function Story({ of }: { of: Detail }) {
  const say = useText()
  const blind = isBlind(of, person.use()?.custId as string | undefined)
  return (
    <>
      {of.expectedFen === null && (
        <Alert
          showIcon
          className="refused"
          type="info"
          title={say([
            '该收银班次还在您管辖范围以外的车场收过现金。这里只列出您所管车场的收支；备用金、清点和差异由可查看全部车场的人员处理。',
            'This shift also took cash at car parks outside your scope. Only transactions at your car parks are shown; the float, the count and the difference are handled by staff who see all of its car parks.',
          ])}
        />
      )}
      <Facts
        entity={ShiftLine}
        of={of}
        show={[
          'personName',
          'openedAt',
          'closedAt',
          'openingFloatFen',
          'cashInFen',
          'cashOutFen',
          'depositFen',
          ...(blind ? [] : (['expectedFen'] as const)),
          'countedFen',
          'differenceFen',
          ...LATER.filter((name) => Boolean(of[name])),
        ]}
      />
      {(of.counted?.length ?? 0) > 0 && <Counted of={of.counted!} />}
      <Takings of={of.takings} />
      <Moves of={of.moves} />
    </>
  )
}

function Counted({ of }: { of: NonNullable<Detail['counted']> }) {
  const say = useText()
  return (
    <Section title={['清点', 'Cash count']}>
      <Table
        size="small"
        rowKey="faceFen"
        pagination={false}
        dataSource={[...of].sort((a, b) => b.faceFen - a.faceFen)}
        columns={[
          { title: say(['面额', 'Denomination']), render: (_, { faceFen }) => say(CashFace.entries[faceFen].slice(0, 2) as never) },
          { title: say(['张数', 'Count']), dataIndex: 'count', align: 'right' },
          { title: say(['金额', 'Amount']), align: 'right', render: (_, { faceFen, count }) => <Money fen={faceFen * count} /> },
        ]}
      />
    </Section>
  )
}

function Takings({ of }: { of: Detail['takings'] }) {
  const say = useText()
  return (
    <Section title={['收款', 'Receipts']}>
      <Table
        size="small"
        rowKey="id"
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        dataSource={of}
        locale={{ emptyText: say(['还没有收款', 'No receipts yet']) }}
        columns={[
          { title: say(['时间', 'Time']), render: (_, { paidAt }) => <Time at={paidAt} /> },
          { title: say(['车牌', 'Plate']), render: (_, { plateNo }) => <Plate number={plateNo} color={null} still /> },
          {
            title: say(['订单号', 'Order number']),
            render: (_, { orderId, orderNo }) => (can(order.list.needs) ? <Link to={`/operation/finance/${orderId}`}>{orderNo}</Link> : orderNo),
          },
          { title: say(['方式', 'Method']), render: (_, { payMethod }) => say(PayMethod.entries[payMethod]) },
          { title: say(['实收', 'Paid']), align: 'right', render: (_, { receivedFen }) => <Money fen={receivedFen} /> },
          { title: say(['已退', 'Refunded']), align: 'right', render: (_, { refundFen }) => (refundFen > 0 ? <Money fen={refundFen} /> : null) },
        ]}
      />
      {of.length >= 200 && (
        <p className="faint">
          {say(['只列出最近 200 笔，其余见「财务对账」的订单', 'The newest 200 are listed; older ones are among the orders in “Finance”'])}
        </p>
      )}
    </Section>
  )
}

function Moves({ of }: { of: Detail['moves'] }) {
  const say = useText()
  return (
    <Section title={['现金变动', 'Cash transactions']}>
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        dataSource={of}
        locale={{ emptyText: say(['除收款、退款外没有变动', 'No transactions other than receipts and refunds']) }}
        columns={[
          { title: say(['时间', 'Time']), render: (_, { at }) => <Time at={at} /> },
          { title: say(['类型', 'Type']), render: (_, { kind }) => <State dictionary={ShiftMoveKind} value={kind} /> },
          { title: say(['车场', 'Car park']), render: (_, { parkCode }) => <ParkName code={parkCode} /> },
          { title: say(['金额', 'Amount']), align: 'right', render: (_, { debitFen, creditFen }) => <Money fen={debitFen - creditFen} /> },
          { title: say(['凭证号', 'Voucher']), render: (_, { voucherNo }) => voucherNo ?? '--' },
          { title: say(['经办人', 'By']), dataIndex: 'byName' },
        ]}
      />
    </Section>
  )
}
