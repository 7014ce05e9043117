import { CopyOutlined, LeftOutlined, PrinterOutlined, RightOutlined, TableOutlined, UndoOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Segmented } from 'antd'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Day } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { useUnsaved } from '../../../platform/web/form/guard.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { DayField } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { usePrinting } from '../../../platform/web/printing.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkSelect, useParks } from '../../parking/web/api/names.tsx'
import { schedule } from '../contract/roster.ts'
import { GroupSelect, OWN_PARK, PlacesSelect, useGroups } from './choices.tsx'
import { CopiedDialog, type Copied, CopyDialog } from './CopyDialog.tsx'
import { Gaps } from './Gaps.tsx'
import { Mets } from './Mets.tsx'
import { type Change, CHANGES, changedBy, type Draft, daysFrom, EMPTY, type Line, listOf, type Met, mondayOf, shifted } from './roster.ts'
import { FillDialog } from './FillDialog.tsx'
import { RosterGrid } from './RosterGrid.tsx'
import { RosterSheet } from './RosterSheet.tsx'
import './staff.css'

const SPANS = [7, 14, 31] as const
const PURPOSE: Text = [
  '按人、按天排班：点空格选班次，批量排班按顺序轮换，拖动移动，按住 Alt 拖动为复制；保存前整体检查',
  'Roster by person and day: click an empty day to choose a shift, fill many days by a pattern, drag to move, Alt-drag to copy; everything is checked before saving',
]

function useSpan() {
  const [params, setParams] = useSearchParams()
  const from = params.get('from') ?? mondayOf(cityDay())
  const days = Number(params.get('days') ?? SPANS[0])
  const set = (change: Record<string, string | undefined>) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const [name, value] of Object.entries(change)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      return next
    })
  const groupId = params.get('groupId') ?? undefined
  const parkCode = params.get('parkCode') ?? undefined
  const to = daysFrom(from, days).at(-1)!
  return { from, to, days, groupId, parkCode, set, step: (by: 1 | -1) => set({ from: shifted(from, by * days) }) }
}

/** Keeps the unsaved changes, step by step, and the conflicts of the last check. */
function useDraft(lines: readonly Line[] | undefined) {
  const act = useAct(CHANGES)
  const [steps, setSteps] = useState<readonly Draft[]>([])
  const [met, setMet] = useState<readonly Met[]>([])
  const [stored, setStored] = useState(false)
  const draft = steps.at(-1) ?? EMPTY
  const dirty = useMemo(() => changedBy(lines ?? [], draft), [lines, draft])
  const change = useCallback((by: Change) => [setSteps((before) => [...before, by(before.at(-1) ?? EMPTY)]), setMet([])], [])
  const reset = () => [setSteps([]), setMet([])]
  const undo = () => [setSteps(steps.slice(0, -1)), setMet([])]
  const send = async (dryRun: boolean) => {
    const input = { list: listOf(draft), removed: [...draft.removed], dryRun } as never
    await act(schedule.save, input, {
      answered: ({ conflicts }) => {
        const blocked = conflicts.filter(({ blocks }) => blocks).length
        setMet(conflicts)
        setStored(!dryRun && blocked === 0)
        if (blocked > 0)
          toast('error', [`${blocked} 处冲突，未保存；冲突格已标红`, `Not saved: ${blocked} ${plural(blocked, 'conflict')}, marked in red`])
        else if (dryRun)
          toast('success', [
            `可以保存 ${dirty} 格，没有阻止保存的冲突`,
            `${dirty} ${plural(dirty, 'shift')} can be saved: no conflicts that prevent it`,
          ])
        else {
          setSteps([])
          toast('success', [`已保存 ${dirty} 格`, `${dirty} ${plural(dirty, 'shift')} saved`])
        }
      },
    })
  }
  useUnsaved(dirty > 0)
  return { steps, draft, dirty, met, stored, change, reset, undo, send }
}

/** People and days: a shift is put down by a press or a drag, tried, and stored as a whole. */
export default function RosterScreen() {
  const say = useText()
  const span = useSpan()
  const [copying, setCopying] = useState(false)
  const [copied, setCopied] = useState<Copied>()
  const [filling, setFilling] = useState(false)
  const [places, setPlaces] = useState<string[]>([])
  const range = { workDateFrom: span.from as Day, workDateTo: span.to as Day }
  const only = { ...(span.groupId && { groupId: span.groupId as never }) }
  const { data, error, refetch, dataUpdatedAt } = useQuery(
    asks(schedule.query, { ...range, ...only, ...(span.parkCode && { parkCode: span.parkCode }) }, { quiet: true }),
  )
  const work = useDraft(data)
  const { draft, dirty, met, stored, change, reset } = work
  // A month of many people is drawn in parts: the page answers meanwhile.
  const drawn = useDeferredValue(draft)
  const days = daysFrom(span.from, span.days)
  return (
    <div className="list roster">
      <PageHead purpose={PURPOSE} />
      <div className="roster-bar">
        <SpanChoice span={span} fixed={dirty > 0} />
        <span className="push" />
        {can(schedule.save.needs) && (
          <DraftActs
            of={work}
            places={places}
            onPlaces={setPlaces}
            onFill={() => setFilling(true)}
            fills={Boolean(data?.length)}
            onCopy={() => setCopying(true)}
          />
        )}
        <Button icon={<PrinterOutlined />} disabled={!data?.length || dirty > 0} onClick={() => print()}>
          {say(['打印', 'Print'])}
        </Button>
        <ExportButton call={schedule.export} criteria={{ ...range, ...only }} />
      </div>
      {data && data.length > 0 && <OnItsWay lines={data} days={days} span={span} saidAt={dataUpdatedAt} dirty={dirty > 0} />}
      <Gaps {...range} groupId={span.groupId} draft={draft} />
      {met.length > 0 && <Found met={met} saved={stored} lines={data ?? []} />}
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : data.length === 0 ? (
        <Nothing>{say(['没有在职人员', 'No employed staff'])}</Nothing>
      ) : (
        <RosterGrid lines={data} days={days} draft={drawn} met={met} places={places} change={change} />
      )}
      {filling && data && (
        <FillDialog
          lines={data}
          draft={draft}
          from={span.from}
          to={span.to}
          placeCodes={places}
          fill={(next) => [change(() => next), setFilling(false)]}
          onClose={() => setFilling(false)}
        />
      )}
      {copying && <CopyDialog from={span.from} to={span.to} groupId={span.groupId} tells={setCopied} onClose={() => [setCopying(false), reset()]} />}
      {copied && <CopiedDialog copied={copied} lines={data ?? []} onClose={() => setCopied(undefined)} />}
    </div>
  )
}

/** The sheet, while the screen is on its way to paper. */
function OnItsWay({ span: { groupId, parkCode }, ...sheet }: Omit<Parameters<typeof RosterSheet>[0], 'crew'> & { span: ReturnType<typeof useSpan> }) {
  const group = useGroups().find(({ id }) => id === groupId)?.name
  const park = useParks().find((one) => one.parkCode === parkCode)?.name ?? parkCode
  const printing = usePrinting()
  const named = [group, park].filter(Boolean).join(' · ')
  return printing && <RosterSheet {...sheet} crew={named ? [named, named] : ['全部人员', 'All staff']} />
}

/** Which days, and whose: not to be changed while something is put down for those that show. */
function SpanChoice({ span, fixed }: { span: ReturnType<typeof useSpan>; fixed: boolean }) {
  const say = useText()
  return (
    <>
      <Button icon={<LeftOutlined />} aria-label={say(['往前', 'Earlier'])} disabled={fixed} onClick={() => span.step(-1)} />
      <DayField
        aria-label={say(['开始日期', 'First day'])}
        value={span.from as Day}
        allowClear={false}
        disabled={fixed}
        onChange={(day) => span.set({ from: day ?? undefined })}
      />
      <span className="soft">– {span.to}</span>
      <Button icon={<RightOutlined />} aria-label={say(['往后', 'Later'])} disabled={fixed} onClick={() => span.step(1)} />
      <Segmented
        value={span.days}
        disabled={fixed}
        onChange={(days) => span.set({ days: String(days) })}
        options={SPANS.map((days) => ({ value: days, label: say([`${days} 天`, `${days} ${plural(days, 'day')}`]) }))}
      />
      <GroupSelect value={span.groupId} onChange={(groupId) => span.set({ groupId })} />
      <ParkSelect value={span.parkCode} onChange={(parkCode) => span.set({ parkCode })} />
    </>
  )
}

interface DraftActsProps {
  of: ReturnType<typeof useDraft>
  places: string[]
  onPlaces: (codes: string[]) => void
  /** There is somebody whose days can be filled. */
  fills: boolean
  onFill: () => void
  onCopy: () => void
}
function DraftActs({ of: { steps, dirty, undo, send }, places, onPlaces, fills, onFill, onCopy }: DraftActsProps) {
  const say = useText()
  return (
    <>
      <label className="roster-where">
        {say(['新排地点', 'Place for new shifts'])}
        <PlacesSelect value={places} onChange={(codes) => onPlaces(codes ?? [])} empty={OWN_PARK} />
      </label>
      <Button icon={<UndoOutlined />} disabled={steps.length === 0} onClick={undo}>
        {say(['撤销一步', 'Undo'])}
      </Button>
      <Button disabled={dirty === 0} onClick={() => void send(true)}>
        {say(['检查', 'Check'])}
      </Button>
      <Button type="primary" disabled={dirty === 0} onClick={() => void send(false)}>
        {say([`保存 ${dirty || ''}`, `Save ${dirty || ''}`])}
      </Button>
      <Button icon={<TableOutlined />} disabled={!fills} onClick={onFill}>
        {say(['批量排班', 'Fill roster'])}
      </Button>
      <Button icon={<CopyOutlined />} disabled={dirty > 0} onClick={onCopy}>
        {say(['复制排班', 'Copy roster'])}
      </Button>
    </>
  )
}

/** Shows the conflicts of the last check or save: for a saved roster it no longer says that it can be saved. */
function Found({ met, saved, lines }: { met: readonly Met[]; saved: boolean; lines: readonly Line[] }) {
  const say = useText()
  const blocked = met.some(({ blocks }) => blocks)
  const title: Text = blocked
    ? ['有冲突，未保存', 'Not saved: conflicts']
    : saved
      ? ['已保存，请留意', 'Saved; please note']
      : ['可以保存，但请留意', 'Can be saved; please note']
  return <Alert type={blocked ? 'error' : 'warning'} title={say(title)} description={<Mets met={met} lines={lines} />} />
}
