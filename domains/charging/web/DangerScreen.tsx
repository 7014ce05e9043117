import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE, time } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { Danger, danger, dangerCan, DangerKind, DangerLevel, dangerSearch, DangerState, DEADLINE_HOURS, PICTURE_FROM } from '../contract/danger.ts'
import { GunSelect } from './FaultScreen.tsx'
import { HandlerSelect } from './handlers.tsx'
import { GunLink } from './links.tsx'
import { StationName, StationSelect } from './stations.tsx'

type Asked = 'new' | { of: Row; to: Row['state']; text: Text }
type Row = Of<typeof Danger>
const CHANGES = [danger.query, danger.detail, danger.hiddenDangerCnt, danger.hiddenDangerCount]
const MOVES = [
  ['work', ['开始整改', 'Start fixing']],
  ['submit', ['提交复查', 'Submit for review']],
  ['close', ['复查通过', 'Pass the review']],
  ['giveBack', ['退回整改', 'Send back']],
] as const

const GUN: Text = ['充电枪', 'Connector']
const ASSIGN: Text = ['指派整改人', 'Assign']
const hoursOf = (place: 0 | 1) =>
  Object.entries(DEADLINE_HOURS)
    .map(([level, hours]) => `${DangerLevel.entries[Number(level) as keyof typeof DEADLINE_HOURS][place]} ${hours}`)
    .join(' · ')
const DEADLINES: Text = [
  `整改期限（小时）：${hoursOf(0)}。登记重大隐患后，该站立即停止新的充电，直到闭环`,
  `Hours to fix it: ${hoursOf(1)}. A critical hazard stops new sessions at its station until it is closed`,
]
/** What may be done with a hazard now: nobody is offered the review of their own work. */
function movesOf(row: Row) {
  const own = row.state === DangerState.review && row.handlerId === person.get()?.custId
  const moves = MOVES.map(([verb, text]) => {
    const to = dangerCan[verb](row.state)
    const not =
      to === undefined
        ? (['当前状态不允许', 'Not possible in its current state'] as const)
        : own && (['由您整改，请由他人复查', 'You fixed it: somebody else reviews it'] as const)
    return { text: text as Text, to, not }
  })
  const given = row.state !== DangerState.review && row.state !== DangerState.closed
  return [
    ...moves,
    { text: ASSIGN, to: given ? row.state : undefined, not: !given && (['当前状态不允许', 'Not possible in its current state'] as const) },
  ]
}

/** What may become an accident: found, put right in time, reviewed by another. */
export default function DangerScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Asked>()
  return (
    <>
      <ListScreen
        purpose={[
          '充电场站的隐患：在期限内整改，由另一人复查；重大隐患停止该站新的充电',
          'Safety hazards at stations: fixed before the deadline and reviewed by another person; a critical one stops new sessions at its station',
        ]}
        query={danger.query}
        search={dangerSearch}
        find={[
          'state',
          'level',
          { name: 'stationId', label: ['充电站', 'Station'], control: <StationSelect /> },
          'kind',
          'foundAt',
          { name: 'connectorId', label: GUN, control: <GunSelect /> },
          'dangerNo',
          'late',
        ]}
        columns={[
          'dangerNo',
          'level',
          'state',
          { dataIndex: 'stationId', title: say(['充电站', 'Station']), render: (_, row) => <StationName id={row.stationId} /> },
          { dataIndex: 'connectorId', title: say(GUN), render: (id: string | null) => (id ? <GunLink id={id} /> : NONE) },
          'kind',
          'foundAt',
          { dataIndex: 'deadline', render: (_, row) => <Deadline of={row} /> },
          'handler',
          'reviewer',
          'source',
          'closedAt',
          'description',
          'note',
        ]}
        hidden={['source', 'closedAt', 'note', 'reviewer', 'description']}
        roomy={['foundAt', 'connectorId', 'kind']}
        detail={{
          call: danger.detail,
          head: (row) => (
            <>
              {row.dangerNo} <State dictionary={DangerState} value={row.state} />
            </>
          ),
          act: (row) => <Moves of={row} move={setDoing} />,
          body: (row) => <Story of={row} />,
        }}
        live="charging.danger"
        exports={danger.export}
        add={{ call: danger.insert, open: () => setDoing('new'), text: ['登记隐患', 'Record a hazard'] }}
        toolbar={<Badge />}
        actions={(row) =>
          movesOf(row).map(({ text, to, not }) => ({
            text,
            needs: danger.update.needs,
            run: () => to !== undefined && setDoing({ of: row, to, text }),
            not,
          }))
        }
        empty={['没有隐患', 'No hazards']}
      />
      {doing && <Doing doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Doing({ doing, onClose }: { doing: Asked; onClose: () => void }) {
  if (doing === 'new')
    return (
      <FormDialog
        title={['登记隐患', 'Record a hazard']}
        act={({ level }) => (level === DangerLevel.grave ? ['登记并停用该站', 'Record it and stop the station'] : ['登记', 'Record'])}
        entity={Danger}
        mode="new"
        value={{ level: DangerLevel.common, kind: DangerKind.cable }}
        save={danger.insert}
        changes={CHANGES}
        done={['已登记', 'Recorded']}
        fields={[
          { name: 'stationId', label: ['充电站', 'Station'], control: <StationSelect choose /> },
          { name: 'level', help: DEADLINES },
          'kind',
          { name: 'connectorId', label: GUN, optional: true, control: <GunSelect /> },
          { name: 'description', optional: true },
        ]}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={[`${doing.text[0]} · ${doing.of.dangerNo}`, `${doing.text[1]} · ${doing.of.dangerNo}`]}
      entity={Danger}
      mode="edit"
      value={{ ...doing.of, note: null, state: doing.to }}
      also={{ state: doing.to }}
      save={danger.update}
      changes={CHANGES}
      act={doing.text}
      done={['已更新', 'Updated']}
      fields={fieldsOf(doing)}
      onClose={onClose}
    />
  )
}

/** Until when, and whether that passed: also of what is being reviewed, or is closed. */
function Deadline({ of: { deadline, late } }: { of: Row }) {
  const say = useText()
  return (
    <>
      {time(deadline)} {late && <span className="state error">{say(['逾期', 'Overdue'])}</span>}
    </>
  )
}

type FieldOfMove = Parameters<typeof FormDialog<Row, Of<typeof danger.update.input>>>[0]['fields'][number]
/** Who hands it in says what was done and shows it; who sends it back says why. */
function fieldsOf({ of, to, text }: { of: Row; to: Row['state']; text: Text }): FieldOfMove[] {
  if (text === ASSIGN)
    return [
      {
        name: 'handlerId',
        needed: true,
        control: <HandlerSelect of="danger" parkCode={of.parkCode} />,
        help: ['站内消息会通知整改人', 'The handler is told by a message'],
      },
    ]
  if (to === DangerState.review)
    return [
      { name: 'note', needed: true, help: ['采取了什么措施', 'What was done'] },
      { name: 'images', ...(of.level >= PICTURE_FROM ? { needed: true as const } : { optional: true }) },
    ]
  return [
    of.state === DangerState.review && to === DangerState.working
      ? { name: 'note', needed: true, help: ['为什么退回', 'Why it is sent back'] }
      : { name: 'note', optional: true },
  ]
}
function Moves({ of, move }: { of: Row; move: (asked: Asked) => void }) {
  return movesOf(of).map(
    ({ text, to, not }) =>
      to !== undefined && !not && <Act key={text[1]} text={text} needs={danger.update.needs} onClick={() => move({ of, to, text })} />,
  )
}
function Story({ of }: { of: Row }) {
  return (
    <Facts
      entity={Danger}
      of={of}
      show={[
        { label: ['充电站', 'Station'], value: <StationName id={of.stationId} /> },
        { label: GUN, value: of.connectorId ? <GunLink id={of.connectorId} /> : NONE },
        ...(['level', 'kind', 'state', 'source', 'foundAt'] as const),
        { label: ['整改期限', 'Deadline'], value: <Deadline of={of} /> },
        ...(['description', 'handler', 'note', 'images', 'reviewer', 'closedAt'] as const),
      ]}
    />
  )
}

function Badge() {
  const say = useText()
  const { data } = useQuery(asks(danger.hiddenDangerCnt, {}, { quiet: true }))
  if (!data) return null
  return (
    <span className={data.overdue > 0 ? 'state error' : 'faint'}>
      {say([`未闭环 ${data.open} · 逾期 ${data.overdue}`, `${data.open} open · ${data.overdue} overdue`])}
    </span>
  )
}
