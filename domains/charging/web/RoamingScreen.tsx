import { Button, Flex, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { kilowattHours, time, yuan } from '../../../platform/web/format.ts'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { Entries } from '../../settlement/web/api/Entries.tsx'
import { BillKind } from '../contract/money.ts'
import { MessageState, Way } from '../contract/platform.ts'
import { Doubt, type Roaming, roaming, roamingCan, roamingSearch, RoamingStory } from '../contract/roaming.ts'
import { ChargeStatus } from '../contract/session.ts'
import { perKwh } from './figures.ts'
import { InterfaceName } from './PartnerMessages.tsx'
import { BY_PLATFORM, PlatformSelect } from './partners.tsx'

type Row = Of<typeof Roaming>
type Story = Of<typeof RoamingStory>
const CHANGES = [roaming.query, roaming.detail]
const NO_DOUBT = ['没有待处理的争议', 'No open dispute'] as const

const COLUMNS: Column<Row>[] = [
  'orderNo',
  'plateNo',
  'payer',
  'stationName',
  'status',
  'createdAt',
  'energyWh',
  'costFen',
  'holdFen',
  'capturedFen',
  'agreedFen',
  'agreedName',
  'decidedName',
  'connectorId',
  'platformName',
  'soc',
  'saidAt',
  'stopReason',
  'endTime',
  'releasedFen',
  'shortfallFen',
  'finalAt',
  'startChargeSeq',
  { dataIndex: 'doubts', render: (_, row) => <Doubts of={row.doubts} /> },
  'failReason',
]
/** Of a charge as it is read when something is asked about it. */
const LESS: (keyof Row)[] = [
  'decidedName',
  'connectorId',
  'soc',
  'saidAt',
  'stopReason',
  'endTime',
  'releasedFen',
  'shortfallFen',
  'finalAt',
  'startChargeSeq',
  'doubts',
  'failReason',
]
/** Charges of our drivers at partners' stations: the partner bills them, the driver's stored value pays. */
export default function RoamingScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Asked>()
  const act = useAct(CHANGES)
  const me = person.use()?.custId
  const confirm = (row: Row) =>
    void act(
      roaming.settleDecide,
      { id: row.id, version: row.version, pass: true },
      { question: settling(row), act: ['复核通过', 'Confirm'], done: ['已结算', 'Settled'] },
    )
  return (
    <>
      <ListScreen
        purpose={[
          '我方车主在合作电站的充电：先冻结储值，对方账单核对无误后实扣、余款解冻；核对不符的列为异常，一人处理、另一人复核后结算',
          'Our drivers’ sessions at partner stations: stored value is put on hold, the partner’s bill is checked, taken and the rest released; a bill that does not check out is settled by one person and reviewed by another',
        ]}
        query={roaming.query}
        exports={roaming.export}
        search={roamingSearch}
        find={[
          'plateNo',
          'status',
          'createdAt',
          { name: 'platformId', label: BY_PLATFORM, control: <PlatformSelect stations any /> },
          'connectorId',
          'orderNo',
          'startChargeSeq',
        ]}
        sum={{
          totals: ['energyWh', 'costFen', 'capturedFen'],
          figures: [{ text: ['异常待处理', 'need attention'], leads: { status: [ChargeStatus.abnormal] } }],
        }}
        columns={COLUMNS}
        hidden={LESS}
        roomy={['orderNo', 'payer', 'platformName', 'holdFen', 'agreedFen', 'agreedName']}
        live="charging.order"
        actions={(row) => actionsOf(row, me, setDoing, confirm)}
        detail={{
          call: roaming.detail,
          input: (id) => ({ id }),
          head: (row) => (
            <>
              {row.plateNo && <Plate number={row.plateNo} color={row.plateColor} large />} <State dictionary={ChargeStatus} value={row.status} />{' '}
              {row.orderNo}
            </>
          ),
          act: (row) =>
            row.status === ChargeStatus.abnormal &&
            row.agreedFen === null &&
            can(roaming.settle.needs) && (
              <Button type="primary" onClick={() => setDoing({ of: row, what: 'settle' })}>
                {say(['处理争议', 'Settle'])}
              </Button>
            ),
          body: (row) => <StoryOf story={row} />,
        }}
        empty={['还没有跨平台充电', 'No roaming sessions yet']}
      />
      {doing && <Doing {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}
const mayStop = ({ status }: Row) => status !== ChargeStatus.failed && roamingCan.stop(status) !== undefined

interface Asked {
  of: Row
  what: 'stop' | 'settle' | 'back'
}
const WAITS = ['已提交，待复核', 'Submitted: awaiting review'] as const
const NOT_WAITING = ['没有待复核的处理', 'Nothing awaits review'] as const
const OWN = ['由另一人复核', 'Another person must review it'] as const
const mayReview = ({ status, agreedFen, agreedId }: Row, me: string | undefined) =>
  status !== ChargeStatus.abnormal || agreedFen === null ? NOT_WAITING : agreedId === me && OWN

const actionsOf = (row: Row, me: string | undefined, setDoing: (asked: Asked) => void, confirm: (row: Row) => void): RowAction[] => [
  {
    text: ['停止充电', 'Stop'],
    needs: roaming.stop.needs,
    run: () => setDoing({ of: row, what: 'stop' }),
    not: !mayStop(row) && ['只有启动中或充电中的订单可以停止', 'Only a session that is starting or charging can be stopped'],
  },
  {
    text: ['处理争议', 'Settle'],
    needs: roaming.settle.needs,
    run: () => setDoing({ of: row, what: 'settle' }),
    not: row.status !== ChargeStatus.abnormal ? NO_DOUBT : row.agreedFen !== null && WAITS,
  },
  { text: ['复核通过', 'Confirm'], needs: roaming.settleDecide.needs, run: () => confirm(row), not: mayReview(row, me) },
  { text: ['驳回', 'Reject'], needs: roaming.settleDecide.needs, run: () => setDoing({ of: row, what: 'back' }), not: mayReview(row, me) },
]

const settling = ({ agreedFen, agreedName, agreedNote }: Row): Text => {
  const amount = yuan(agreedFen ?? 0)
  return [`${agreedName}提交：按 ¥${amount} 结算（${agreedNote}）`, `${agreedName} asks to settle at ¥${amount} (${agreedNote})`]
}
const stopping = ({ stationName, connectorId, plateNo }: Row): Text => {
  const whose = [plateNo, stationName, connectorId].filter(Boolean).join(' · ')
  return [`停止充电 · ${whose}`, `Stop charging · ${whose}`]
}
function Doing({ of, what, onClose }: Asked & { onClose: () => void }) {
  const common = { mode: 'new' as const, changes: CHANGES, onClose }
  if (what === 'stop')
    return (
      <FormDialog
        title={stopping(of)}
        entity={roaming.stop.input}
        value={{}}
        also={{ id: of.id }}
        save={roaming.stop}
        act={['停止充电', 'Stop charging']}
        done={['已请求对方停止', 'The partner was asked to stop']}
        fields={['reason']}
        {...common}
      />
    )
  if (what === 'back')
    return (
      <FormDialog
        title={[`驳回 · ${of.orderNo}`, `Reject · ${of.orderNo}`]}
        entity={roaming.settleDecide.input}
        value={{}}
        also={{ id: of.id, version: of.version, pass: false }}
        save={roaming.settleDecide}
        act={['驳回', 'Reject']}
        done={['已驳回', 'Rejected']}
        fields={['verdict']}
        {...common}
      />
    )
  return (
    <FormDialog
      title={[`处理争议 · ${of.orderNo}`, `Settle the dispute · ${of.orderNo}`]}
      entity={roaming.settle.input}
      value={{ amountFen: of.costFen }}
      also={{ id: of.id, version: of.version }}
      save={roaming.settle}
      act={({ amountFen }) => [`按 ¥${yuan(amountFen ?? 0)} 提交复核`, `Submit ¥${yuan(amountFen ?? 0)} for review`]}
      done={['已提交，由另一人复核', 'Submitted; another person reviews it']}
      fields={[
        {
          name: 'amountFen',
          help: [
            '与对方商定的金额；另一人复核后从车主冻结的储值实扣，余款解冻',
            'The amount agreed with the partner. Once another person has confirmed it, it is taken from what is put on hold and the rest released',
          ],
        },
        'reason',
      ]}
      {...common}
    />
  )
}

function Doubts({ of }: { of: Row['doubts'] }) {
  const say = useText()
  return (
    <Flex wrap gap={4}>
      {of.map((one) => (
        <Tag key={one} color="error">
          {say(Doubt.entries[one])}
        </Tag>
      ))}
    </Flex>
  )
}

function StoryOf({ story }: { story: Story }) {
  return (
    <div className="story">
      {story.doubts.length > 0 && (
        <p>
          <Doubts of={story.doubts} />
        </p>
      )}
      <Facts
        entity={RoamingStory}
        of={story}
        show={[
          { label: BY_PLATFORM, value: <Link to="/recharge/chargingPlatform">{story.platformName}</Link> },
          ...(['stationName', 'connectorId', 'payer', 'startTime', 'endTime', 'stopReason'] as const),
          ...(story.failReason === null ? [] : [{ label: ['说明', 'Note'] as const, value: story.failReason }]),
          ...(['energyWh', 'soc', 'elecFen', 'serviceFen', 'costFen'] as const),
          ...(['holdFen', 'capturedFen', 'releasedFen', 'shortfallFen', 'saidAt', 'finalAt', 'startChargeSeq'] as const),
          ...(story.agreedNote === null ? [] : (['agreedFen', 'agreedNote', 'agreedName', 'decidedName'] as const)),
        ]}
      />
      <Section title={['启动时报价', 'Prices at the start']}>
        <Lines of={story.prices} keyOf={({ from }) => from} columns={PRICES} />
      </Section>
      {story.lines.length > 0 && (
        <Section title={['对方账单', 'The partner’s bill']}>
          <div className="charging-table">
            <Lines of={story.lines} keyOf={({ from }) => from} columns={LINES} />
          </div>
        </Section>
      )}
      {story.bills.length > 0 && (
        <Section title={['结算', 'Settled']}>
          <Lines of={story.bills} keyOf={({ billNo }) => billNo} columns={BILLS} />
        </Section>
      )}
      {story.letters.length > 0 && (
        <Section title={['互联消息', 'Messages']}>
          <Lines of={story.letters} keyOf={({ id }) => id} columns={LETTERS} />
        </Section>
      )}
      {story.entries.length > 0 && (
        <Section title={['总账分录', 'Ledger entries']}>
          <Entries lines={story.entries} />
        </Section>
      )}
    </div>
  )
}
const PRICES: LineColumn<Story['prices'][number]>[] = [
  { name: ['起始时间', 'From'], cell: ({ from }) => from },
  { name: ['电价（元/度）', 'Electricity, yuan per kWh'], right: true, cell: ({ elecPriceE4 }) => perKwh(elecPriceE4) },
  { name: ['服务费（元/度）', 'Service, yuan per kWh'], right: true, cell: ({ servicePriceE4 }) => perKwh(servicePriceE4) },
]
const LINES: LineColumn<Story['lines'][number]>[] = [
  { name: ['时段', 'Period'], cell: ({ from, to }) => `${time(from).slice(5, 16)} – ${time(to).slice(11, 16)}` },
  { name: ['电量', 'Energy'], right: true, cell: ({ wh }) => `${kilowattHours(wh)} kWh` },
  { name: ['电价（元/度）', 'Electricity, yuan per kWh'], right: true, cell: ({ elecPriceE4 }) => perKwh(elecPriceE4) },
  { name: ['服务费（元/度）', 'Service, yuan per kWh'], right: true, cell: ({ servicePriceE4 }) => perKwh(servicePriceE4) },
  { name: ['电费', 'Electricity'], right: true, cell: ({ elecFen }) => <Money fen={elecFen} /> },
  { name: ['服务费', 'Service'], right: true, cell: ({ serviceFen }) => <Money fen={serviceFen} /> },
]
const BILLS: LineColumn<Story['bills'][number]>[] = [
  { name: ['账单', 'Bill'], cell: ({ kind, billNo }) => <BillName kind={kind} billNo={billNo} /> },
  { name: ['结算时间', 'Billed at'], cell: ({ finalAt }) => <Time at={finalAt} /> },
  {
    name: ['应付对方', 'Owed to the partner'],
    right: true,
    cell: ({ elecFen, serviceFen, adjustFen }) => <Money fen={elecFen + serviceFen + adjustFen} />,
  },
  { name: ['储值实扣', 'Taken from stored value'], right: true, cell: ({ capturedFen }) => <Money fen={capturedFen} /> },
  { name: ['平台承担', 'Borne by us'], right: true, cell: ({ waivedFen }) => <Money fen={waivedFen} /> },
  { name: ['转欠费', 'Owed by the driver'], right: true, cell: ({ arrearsFen }) => <Money fen={arrearsFen} /> },
  { name: ['原因', 'Reason'], cell: ({ reason }) => <span className="faint">{reason}</span> },
]
function BillName({ kind, billNo }: Pick<Story['bills'][number], 'kind' | 'billNo'>) {
  const say = useText()
  return (
    <>
      {say(BillKind.entries[kind])} <span className="faint">{billNo}</span>
    </>
  )
}
const LETTERS: LineColumn<Story['letters'][number]>[] = [
  { name: ['时间', 'Time'], cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: ['方向', 'Direction'], cell: ({ way }) => <State dictionary={Way} value={way} /> },
  { name: ['接口', 'Interface'], cell: (one) => <InterfaceName of={one.interface} /> },
  { name: ['状态', 'Status'], cell: ({ state }) => <State dictionary={MessageState} value={state} /> },
]
