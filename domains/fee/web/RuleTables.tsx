import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { lasting } from '../../../platform/contract/duration.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { type Rule, RuleStatus } from '../contract/rule.ts'
import { DayType, Frequency, frequency, Hour, hour, Segment, segment, SegmentMode, Step, step } from '../contract/segment.ts'
import { TABLE_CHANGES } from './changes.ts'
import './fee.css'

type SegmentRow = Of<typeof Segment>
const SEGMENTS_MAX = 100

/** The bands of one version and what each costs; a draft's are changed here. */
export function RuleTables({ of }: { of: Of<typeof Rule> }) {
  const say = useText()
  const [adding, setAdding] = useState(false)
  const { data } = useQuery(
    asks(segment.queryPage, { ruleVersionId: of.id, limit: SEGMENTS_MAX, orderByColumn: 'from', isAsc: true }, { quiet: true }),
  )
  const may = of.status === RuleStatus.draft && can(segment.insert.needs)
  return (
    <div className="fee-tables">
      {data?.records.map((one) => (
        <SegmentPrices key={one.id} of={one} may={may} />
      ))}
      {data?.records.length === 0 && (
        <p className="faint">
          {say(['还没有时段；一天 24 小时都要有时段覆盖才能发布', 'No bands yet; all 24 hours must be covered before publishing'])}
        </p>
      )}
      {may && (
        <Button icon={<PlusOutlined />} onClick={() => setAdding(true)}>
          {say(['新增时段', 'Add a band'])}
        </Button>
      )}
      {adding && (
        <FormDialog
          title={['新增时段', 'Add a band']}
          entity={Segment}
          mode="new"
          value={{ ruleVersionId: of.id, dayType: DayType.everyDay, mode: SegmentMode.byHour }}
          save={segment.insert}
          changes={TABLE_CHANGES}
          fields={SEGMENT_FIELDS}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}
const SEGMENT_FIELDS = [
  { name: 'name', optional: true },
  { name: 'from', control: <Input type="time" /> },
  {
    name: 'to',
    control: <Input type="time" />,
    help: ['早于开始则跨零点；与开始相同为全天', 'Earlier than the start means past midnight; equal to the start means all day'],
  },
  'dayType',
  'mode',
  'capFen',
] as const

const priceOf = (of: SegmentRow): Text => [
  `价格 · ${nameOf(of)} · ${SegmentMode.entries[of.mode][0]}`,
  `Price · ${nameOf(of)} · ${SegmentMode.entries[of.mode][1]}`,
]
const nameOf = ({ name, from, to }: SegmentRow) => name ?? `${from}–${to}`

function SegmentPrices({ of, may }: { of: SegmentRow; may: boolean }) {
  const say = useText()
  const remove = useRemove(TABLE_CHANGES)
  const [editing, setEditing] = useState(false)
  return (
    <section>
      <h3>
        {nameOf(of)}
        <span className="soft">
          {of.from}–{of.to} · {say(DayType.entries[of.dayType])} · {say(SegmentMode.entries[of.mode])}
          {of.capFen !== null && (
            <>
              {' · '}
              {say(['封顶', 'at most'])} <Money fen={of.capFen} />
            </>
          )}
        </span>
        {may && (
          <Buttons
            edit={() => setEditing(true)}
            remove={() => void remove(segment.delete, { id: of.id }, nameOf(of), { kind: 'fee.segment', key: of.id })}
          />
        )}
      </h3>
      {of.mode === SegmentMode.byVisit && <Visits of={of} may={may} />}
      {of.mode === SegmentMode.byHour && <Hours of={of} may={may} />}
      {of.mode === SegmentMode.byStep && <Steps of={of} may={may} />}
      {editing && (
        <FormDialog
          title={[`编辑时段 · ${nameOf(of)}`, `Edit band · ${nameOf(of)}`]}
          entity={Segment}
          mode="edit"
          value={of}
          save={segment.update}
          changes={TABLE_CHANGES}
          fields={SEGMENT_FIELDS}
          onClose={() => setEditing(false)}
        />
      )}
    </section>
  )
}

function Buttons({ edit, remove }: { edit: () => void; remove: () => void }) {
  const say = useText()
  return (
    <span>
      <Button type="text" size="small" onClick={edit}>
        {say(Label.edit)}
      </Button>
      <Button type="text" size="small" danger onClick={remove}>
        {say(Label.delete)}
      </Button>
    </span>
  )
}
function PriceRow({ words, children }: { words: ReactNode; children: ReactNode }) {
  return (
    <tr>
      <td>{words}</td>
      <td className="right">{children}</td>
    </tr>
  )
}
const PriceTable = ({ children }: { children: ReactNode }) => (
  <table className="lines">
    <tbody>{children}</tbody>
  </table>
)
function AddPrice({ onClick }: { onClick: () => void }) {
  const say = useText()
  return (
    <Button type="link" size="small" onClick={onClick}>
      {say(['设置价格', 'Set the price'])}
    </Button>
  )
}
type Of1 = { of: SegmentRow; may: boolean }
type Doing<Row> = Row | 'new' | undefined

function Visits({ of, may }: Of1) {
  const say = useText()
  const remove = useRemove(TABLE_CHANGES)
  const [doing, setDoing] = useState<Doing<Of<typeof Frequency>>>()
  const rows = useQuery(asks(frequency.queryPage, { segmentId: of.id }, { quiet: true })).data?.records
  const common = { title: priceOf(of), entity: Frequency, changes: TABLE_CHANGES, fields: ['amountFen'] as const, onClose: () => setDoing(undefined) }
  return (
    <>
      <PriceTable>
        {rows?.map((row) => (
          <PriceRow
            key={row.id}
            words={
              <>
                {say(['每次', 'Per visit'])} <Money fen={row.amountFen} />
              </>
            }
          >
            {may && (
              <Buttons
                edit={() => setDoing(row)}
                remove={() => void remove(frequency.delete, { id: row.id }, nameOf(of), { kind: 'fee.frequency', key: row.id })}
              />
            )}
          </PriceRow>
        ))}
      </PriceTable>
      {may && rows?.length === 0 && <AddPrice onClick={() => setDoing('new')} />}
      {doing === 'new' && <FormDialog {...common} mode="new" value={{ segmentId: of.id }} save={frequency.insert} />}
      {doing && doing !== 'new' && <FormDialog {...common} mode="edit" value={doing} save={frequency.update} />}
    </>
  )
}

function Hours({ of, may }: Of1) {
  const say = useText()
  const remove = useRemove(TABLE_CHANGES)
  const [doing, setDoing] = useState<Doing<Of<typeof Hour>>>()
  const rows = useQuery(asks(hour.queryPage, { segmentId: of.id }, { quiet: true })).data?.records
  const common = {
    title: priceOf(of),
    entity: Hour,
    changes: TABLE_CHANGES,
    fields: ['unitMin', 'unitFen', 'firstMin', 'firstFen'] as const,
    onClose: () => setDoing(undefined),
  }
  return (
    <>
      <PriceTable>
        {rows?.map((row) => (
          <PriceRow
            key={row.id}
            words={
              <>
                {row.firstMin !== null && (
                  <>
                    {say([`首 ${lasting(row.firstMin)[0]} `, `first ${lasting(row.firstMin)[1]} `])}
                    <Money fen={row.firstFen} />
                    {say(['，之后', ', then '])}
                  </>
                )}
                {say([`每${row.unitMin}分钟 `, `every ${row.unitMin} min `])}
                <Money fen={row.unitFen} />
              </>
            }
          >
            {may && (
              <Buttons
                edit={() => setDoing(row)}
                remove={() => void remove(hour.delete, { id: row.id }, nameOf(of), { kind: 'fee.hour', key: row.id })}
              />
            )}
          </PriceRow>
        ))}
      </PriceTable>
      {may && rows?.length === 0 && <AddPrice onClick={() => setDoing('new')} />}
      {doing === 'new' && <FormDialog {...common} mode="new" value={{ segmentId: of.id, unitMin: 30 }} save={hour.insert} />}
      {doing && doing !== 'new' && <FormDialog {...common} mode="edit" value={doing} save={hour.update} />}
    </>
  )
}

function Steps({ of, may }: Of1) {
  const say = useText()
  const remove = useRemove(TABLE_CHANGES)
  const [doing, setDoing] = useState<Doing<Of<typeof Step>> | 'over'>()
  const rows = useQuery(asks(step.queryPage, { segmentId: of.id, limit: SEGMENTS_MAX }, { quiet: true })).data?.records ?? []
  const sorted = [...rows].sort((a, b) => (a.upToMin ?? Number.MAX_SAFE_INTEGER) - (b.upToMin ?? Number.MAX_SAFE_INTEGER))
  const isOver = doing === 'over' || (typeof doing === 'object' && doing.overUnitMin !== null)
  const fields = isOver ? (['overUnitMin', 'overUnitFen'] as const) : (['upToMin', 'totalFen'] as const)
  const common = { title: priceOf(of), entity: Step, changes: TABLE_CHANGES, fields, onClose: () => setDoing(undefined) }
  return (
    <>
      <PriceTable>
        {sorted.map((row) => (
          <PriceRow
            key={row.id}
            words={
              row.upToMin !== null ? (
                <>
                  {say([`至 ${lasting(row.upToMin)[0]}，共 `, `Up to ${lasting(row.upToMin)[1]}, total `])}
                  <Money fen={row.totalFen} />
                </>
              ) : (
                <>
                  {say([`之后每 ${row.overUnitMin} 分钟 `, `Then every ${row.overUnitMin} min `])}
                  <Money fen={row.overUnitFen} />
                </>
              )
            }
          >
            {may && (
              <Buttons
                edit={() => setDoing(row)}
                remove={() => void remove(step.delete, { id: row.id }, nameOf(of), { kind: 'fee.step', key: row.id })}
              />
            )}
          </PriceRow>
        ))}
      </PriceTable>
      {may && <AddPrice onClick={() => setDoing('new')} />}
      {may && !rows.some(({ overUnitMin }) => overUnitMin !== null) && (
        <Button type="link" size="small" onClick={() => setDoing('over')}>
          {say(['设置超出后的单价', 'Set the price beyond the steps'])}
        </Button>
      )}
      {(doing === 'new' || doing === 'over') && <FormDialog {...common} mode="new" value={{ segmentId: of.id }} save={step.insert} />}
      {typeof doing === 'object' && <FormDialog {...common} mode="edit" value={doing} save={step.update} />}
    </>
  )
}
