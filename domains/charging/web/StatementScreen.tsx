import { Tabs } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import {
  checkSearch,
  Closing,
  type Difference,
  differenceSearch,
  DifferenceState,
  Direction,
  partnerBillSearch,
  type Statement,
  statement,
  statementCan,
  statementSearch,
  StatementState,
} from '../contract/statement.ts'
import { BY_PLATFORM, PlatformName, PlatformSelect } from './partners.tsx'

type Row = Of<typeof Statement>
const CHANGES = [statement.query, statement.differences, statement.bills, statement.checks]

/** What partner platforms owe for the charges of their drivers, and what we owe for those of ours: compared by day, settled by month. */
export default function StatementScreen() {
  const say = useText()
  return (
    <Tabs
      className="tabs-of-lists"
      items={[
        { key: 'statements', label: say(['月对账单', 'Monthly statements']), children: <Statements /> },
        { key: 'differences', label: say(['对账差异', 'Differences']), children: <Differences /> },
        { key: 'checks', label: say(['日对账', 'Daily checks']), children: <Checks /> },
        { key: 'bills', label: say(['账单明细', 'Bills']), children: <Bills /> },
      ]}
    />
  )
}

function Statements() {
  const [paid, setPaid] = useState<Row>()
  const actionsOf = useActions(setPaid)
  return (
    <>
      <ListScreen
        purpose={[
          '每月 1 日按平台汇总上月账单，应收为其用户在我方充电，应付为我方用户在其电站充电：发出、无差异后由另一人确认、收付款后登记结清',
          'Bills of last month by partner, gathered on the 1st: receivable for its drivers here, payable for ours there. Sent, confirmed by another person once no difference is open, settled when paid',
        ]}
        query={statement.query}
        exports={statement.exportMonths}
        search={statementSearch}
        find={[{ name: 'platformId', label: BY_PLATFORM, control: <PlatformSelect any /> }, 'direction', 'month', 'state', 'statementNo']}
        sum={{ totals: ['orders', 'netFen'], figures: [{ text: ['有差异', 'with differences'], leads: { state: [StatementState.differing] } }] }}
        columns={[
          'month',
          'platformName',
          'direction',
          'state',
          'netFen',
          'openDifferences',
          'orders',
          'elecFen',
          'serviceFen',
          'splitFen',
          'energyWh',
          'adjustFen',
          'statementNo',
          'splitPermille',
          'sentAt',
          'senderName',
          'confirmedAt',
          'confirmerName',
          'settledAt',
          'settlerName',
          'tradeNo',
        ]}
        hidden={['statementNo', 'splitPermille', 'sentAt', 'senderName', 'confirmedAt', 'confirmerName', 'settledAt', 'settlerName', 'tradeNo']}
        roomy={['energyWh', 'adjustFen']}
        actions={actionsOf}
        empty={[
          '还没有对账单。合作平台有账单后，次月 1 日自动生成。',
          'No statements yet. Once a partner has bills, a statement is made on the 1st of the next month.',
        ]}
      />
      {paid && <Settle of={paid} onClose={() => setPaid(undefined)} />}
    </>
  )
}

/** Sent, confirmed by another person, settled: a statement's way. */
function useActions(settle: (row: Row) => void): (row: Row) => RowAction[] {
  const act = useAct(CHANGES)
  const send = (row: Row) =>
    void act(
      statement.send,
      { id: row.id, version: row.version },
      {
        question: [
          `${row.platformName} ${row.month} 的对账单已交给对方核对？`,
          `Has the ${row.month} statement been given to ${row.platformName} to check?`,
        ],
        act: ['发出对账单', 'Send statement'],
        done: ['已发出', 'Sent'],
      },
    )
  const confirm = (row: Row) =>
    void act(
      statement.confirm,
      { id: row.id, version: row.version },
      {
        question: [
          `${row.platformName} 与我方对 ${row.month} 的金额没有异议？确认后平台分成入账`,
          `Do ${row.platformName} and we agree on the ${row.month} amounts? Confirming posts the platform’s share`,
        ],
        act: [`确认 ¥${yuan(row.netFen)}`, `Confirm ¥${yuan(row.netFen)}`],
        done: ['已确认', 'Confirmed'],
      },
    )
  return (row) => [
    {
      text: ['发出', 'Send'],
      needs: statement.send.needs,
      run: () => send(row),
      not: statementCan.send(row.state) === undefined && (['已经发出', 'Already sent'] as const),
    },
    {
      text: ['确认', 'Confirm'],
      needs: statement.confirm.needs,
      run: () => confirm(row),
      not:
        statementCan.confirm(row.state) === undefined &&
        (['发出且无未处理差异后才能确认', 'Only once it is sent and has no open differences'] as const),
    },
    {
      text: row.direction === Direction.payable ? ['登记付款', 'Record payment'] : ['登记到账', 'Record receipt'],
      needs: statement.settle.needs,
      run: () => settle(row),
      not: statementCan.settle(row.state) === undefined && (['确认后才能登记结清', 'Only once it is confirmed'] as const),
    },
  ]
}

function Settle({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[
        `${of.direction === Direction.payable ? '登记付款' : '登记到账'} · ${of.platformName} ${of.month}`,
        `${of.direction === Direction.payable ? 'Record payment' : 'Record receipt'} · ${of.platformName} ${of.month}`,
      ]}
      entity={statement.settle.input}
      mode="new"
      value={{}}
      also={{ id: of.id, version: of.version }}
      save={statement.settle}
      changes={CHANGES}
      act={
        of.direction === Direction.payable
          ? [`登记付款 ¥${yuan(of.netFen)}`, `Record payment of ¥${yuan(of.netFen)}`]
          : [`登记到账 ¥${yuan(of.netFen)}`, `Record receipt of ¥${yuan(of.netFen)}`]
      }
      done={['已结清', 'Settled']}
      fields={['tradeNo']}
      onClose={onClose}
    />
  )
}

type Differing = Of<typeof Difference>
const NOT_WAITING = ['没有待复核的处理', 'Nothing awaits review'] as const
const OWN = ['由另一人复核', 'Another person must review it'] as const
function Differences() {
  const say = useText()
  const [doing, setDoing] = useState<{ of: Differing; back?: boolean }>()
  const act = useAct(CHANGES)
  const me = person.use()?.custId
  const confirm = ({ id, version, theirFen, submitterName, reason }: Differing) =>
    void act(
      statement.decideDifference,
      { id, version, pass: true },
      {
        question: [
          `${submitterName}提交：按对方金额 ¥${yuan(theirFen ?? 0)} 出调整账单（${reason}）`,
          `${submitterName} asks for an adjusting bill to the partner’s ¥${yuan(theirFen ?? 0)} (${reason})`,
        ],
        act: ['复核通过', 'Confirm'],
        done: ['已处理', 'Done'],
      },
    )
  return (
    <>
      <ListScreen
        purpose={[
          '双方不一致的订单：以我方为准、以对方为准（另一人复核后出调整账单）或转下月；有未处理的不能确认当月对账单',
          'Sessions on which the two sides differ: keep our figure, take theirs by an adjusting bill once another person has reviewed it, or carry to next month; a month with open differences cannot be confirmed',
        ]}
        query={statement.differences}
        exports={statement.exportDifferences}
        search={differenceSearch}
        find={[{ name: 'platformId', label: BY_PLATFORM, control: <PlatformSelect any /> }, 'direction', 'month', 'state', 'kind', 'startChargeSeq']}
        columns={differenceColumns(say)}
        hidden={['orderNo', 'billNo', 'closedAt', 'closedBy']}
        roomy={['reason', 'month']}
        actions={(row) => [
          {
            text: ['处理', 'Close'],
            needs: statement.settleDifference.needs,
            run: () => setDoing({ of: row }),
            not:
              row.state === DifferenceState.submitted
                ? ['已提交，待复核', 'Submitted: awaiting review']
                : row.state !== DifferenceState.open && ['已经处理', 'Already closed'],
          },
          { text: ['复核通过', 'Confirm'], needs: statement.decideDifference.needs, run: () => confirm(row), not: mayReview(row, me) },
          {
            text: ['驳回', 'Reject'],
            needs: statement.decideDifference.needs,
            run: () => setDoing({ of: row, back: true }),
            not: mayReview(row, me),
          },
        ]}
        empty={['没有差异', 'No differences']}
      />
      {doing && <Handling {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}
const differenceColumns = (say: Say): Column<Differing>[] => [
  'day',
  { dataIndex: 'platformId', title: say(BY_PLATFORM), render: (_, row) => <PlatformName id={row.platformId} /> },
  'direction',
  'kind',
  'startChargeSeq',
  'ourFen',
  'theirFen',
  'ourWh',
  'theirWh',
  'state',
  'month',
  'orderNo',
  'reason',
  'submitterName',
  'billNo',
  'closedAt',
  'closedBy',
]
const mayReview = ({ state, submitterId }: Differing, me: string | undefined) =>
  state !== DifferenceState.submitted ? NOT_WAITING : submitterId === me && OWN

function Handling({ of, back, onClose }: { of: Differing; back?: boolean; onClose: () => void }) {
  const common = { mode: 'new' as const, changes: CHANGES, onClose }
  if (back)
    return (
      <FormDialog
        title={['驳回处理', 'Reject']}
        entity={statement.decideDifference.input}
        value={{}}
        also={{ id: of.id, version: of.version, pass: false }}
        save={statement.decideDifference}
        act={['驳回', 'Reject']}
        done={['已驳回', 'Rejected']}
        fields={['verdict']}
        {...common}
      />
    )
  return (
    <FormDialog
      title={['处理对账差异', 'Close a difference']}
      entity={statement.settleDifference.input}
      value={{ closing: Closing.ours }}
      also={{ id: of.id, version: of.version }}
      save={statement.settleDifference}
      onSaved={(reply) => toast('success', (reply as Differing).state === DifferenceState.submitted ? SUBMITTED : ['已处理', 'Done'])}
      fields={['closing', 'reason']}
      {...common}
    />
  )
}
const SUBMITTED = ['已提交，由另一人复核', 'Submitted; another person reviews it'] as const

function Checks() {
  const say = useText()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <ListScreen
        purpose={[
          '每天凌晨把前一日账单逐单发给平台核对，对方的争议记为差异',
          'Each night every bill of the day before is sent to its partner to check; what the partner disputes becomes a difference',
        ]}
        query={statement.checks}
        exports={statement.exportChecks}
        search={checkSearch}
        find={[{ name: 'platformId', label: BY_PLATFORM, control: <PlatformSelect any /> }, 'day', 'state']}
        columns={[
          'day',
          { dataIndex: 'platformId', title: say(BY_PLATFORM), render: (_, row) => <PlatformName id={row.platformId} /> },
          'piece',
          'orderCount',
          'energyWh',
          'amountFen',
          'state',
          'differences',
          'createdAt',
          'answeredAt',
          'checkSeq',
        ]}
        hidden={['checkSeq', 'piece']}
        add={{ call: statement.check, open: () => setAsking(true), text: ['对账某一日', 'Check a day'] }}
        empty={['还没有日对账', 'No checks yet']}
      />
      {asking && (
        <FormDialog
          title={['对账某一日', 'Check a day']}
          entity={statement.check.input}
          mode="new"
          value={{}}
          save={statement.check}
          changes={CHANGES}
          act={['发起对账', 'Start the check']}
          onSaved={(reply) => tellAsked(reply as Asked)}
          fields={[{ name: 'platformId', control: <PlatformSelect /> }, 'day']}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

type Asked = Of<typeof statement.check.reply>
/** A day of which nothing is sent leaves no row in the list: it says why. */
function tellAsked({ count, askedBefore }: Asked): void {
  if (count > 0) toast('success', [`已向对方发起，共 ${count} 笔`, `Sent to the partner: ${counted(count)}`])
  else if (askedBefore > 0)
    toast('info', [`该日 ${askedBefore} 笔此前已发起对账，没有新订单`, `Nothing new: ${counted(askedBefore)} of that day sent before`])
  else
    toast('info', [
      '该日没有已出账的应收订单，无需对账；应付订单由对方发起',
      'No receivable session was billed on that day: there is nothing to check. Payable sessions are checked by the partner',
    ])
}
const counted = (count: number) => `${count} ${plural(count, 'session')}`

function Bills() {
  return (
    <ListScreen
      purpose={[
        '对账单里的每张账单；按平台和时间导出交给对方核对',
        'Every bill in the statements; export by platform and time for the partner to check',
      ]}
      query={statement.bills}
      search={partnerBillSearch}
      exports={statement.export}
      find={[{ name: 'platformId', label: BY_PLATFORM, control: <PlatformSelect any /> }, 'finalAt', 'kind', 'startChargeSeq', 'orderNo']}
      sum={{ totals: ['elecFen', 'serviceFen', 'adjustFen', 'partnerFen'] }}
      columns={[
        'startChargeSeq',
        'connectorId',
        'kind',
        'finalAt',
        'energyWh',
        'elecFen',
        'serviceFen',
        'adjustFen',
        'partnerFen',
        'orderNo',
        'billNo',
        'reason',
      ]}
      hidden={['billNo', 'reason']}
      roomy={['orderNo']}
      empty={['还没有合作平台的账单', 'No partner bills yet']}
    />
  )
}
