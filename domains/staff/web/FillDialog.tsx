import { Button, Checkbox, Form, Radio, Tag } from 'antd'
import { useState } from 'react'
import type { Day } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { DayField } from '../../../platform/web/form/inputs.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CELLS_MAX } from '../contract/roster.ts'
import { useShifts } from './choices.tsx'
import { type Draft, daysFrom, type Filled, filled, type Line, type Turn } from './roster.ts'

interface Props {
  lines: readonly Line[]
  draft: Draft
  from: string
  to: string
  placeCodes: string[]
  fill: (next: Draft) => void
  onClose: () => void
}
const OFF: Text = ['休', 'Off']
/** A pattern of more turns is a roster of its own. */
const TURNS_MAX = 31

const DAY_MS = 86_400_000

/** Puts down many people's days at once. Nothing is stored: the grid shows it as a draft, to be looked at, taken back, checked and saved. */
export function FillDialog({ lines, draft, from, to, placeCodes, fill, onClose }: Props) {
  const say = useText()
  const today = cityDay()
  const begin = from < today ? today : from
  const [people, setPeople] = useState<string[]>([])
  const [[first, last], setDays] = useState<Days>([begin, to])
  const [pattern, setPattern] = useState<Turn[]>([])
  const [step, setStep] = useState(0)
  const [replaces, setReplaces] = useState(false)
  const wrong = faultOf({ first, last, from: begin, to })
  const days = wrong ? [] : daysFrom(first, (Date.parse(last) - Date.parse(first)) / DAY_MS + 1)
  const chosen = people.length > 0 ? people : lines.map(({ tollNo }) => tollNo)
  const filling = { people: chosen, days, pattern, step, replaces, placeCodes }
  const result = pattern.length > 0 && days.length > 0 ? filled(lines, draft, filling) : undefined
  const tooMany = (result?.draft.added.length ?? 0) > CELLS_MAX
  return (
    <Dialog
      title={say(['批量排班', 'Fill roster'])}
      changed={pattern.length > 0 || people.length > 0}
      onClose={onClose}
      footer={(leave) => (
        <>
          <Button onClick={leave}>{say(['取消', 'Cancel'])}</Button>
          <Button type="primary" disabled={!result?.put || tooMany} onClick={() => result && fill(result.draft)}>
            {say(['填入表格', 'Put into the grid'])}
          </Button>
        </>
      )}
    >
      <Form layout="vertical">
        <People lines={lines} people={people} change={setPeople} />
        <Form.Item label={say(['日期', 'Days'])} {...(wrong && { validateStatus: 'error', help: say(wrong) })}>
          <Span days={[first, last]} change={setDays} />
        </Form.Item>
        <Pattern pattern={pattern} change={setPattern} />
        <Form.Item>
          <Ways step={step} setStep={setStep} />
          <Checkbox checked={replaces} onChange={({ target }) => setReplaces(target.checked)}>
            {say([
              '覆盖已有排班（已开始、请假、调班、有待办申请的不动）',
              'Replace existing shifts (not those started, on leave, swapped or with an open request)',
            ])}
          </Checkbox>
        </Form.Item>
      </Form>
      <p role="status">{say(outcome(result, tooMany))}</p>
    </Dialog>
  )
}

function People({ lines, people, change }: { lines: readonly Line[]; people: string[]; change: (next: string[]) => void }) {
  const say = useText()
  const extra = say([`不选即表内全部 ${lines.length} 人`, `Leave empty for all ${lines.length} in the grid`])
  return (
    <Form.Item label={say(['人员', 'People'])} htmlFor="fill-people" extra={extra}>
      <Select
        id="fill-people"
        mode="multiple"
        allowClear
        value={people}
        onChange={change}
        placeholder={say(['全部', 'All'])}
        options={lines.map(({ tollNo, name }) => ({ value: tollNo, label: `${name} ${tollNo}` }))}
        showSearch={{ optionFilterProp: 'label' }}
      />
    </Form.Item>
  )
}
type Days = readonly [first: string, last: string]
function Span({ days: [first, last], change }: { days: Days; change: (next: Days) => void }) {
  const say = useText()
  return (
    <span className="roster-where">
      <DayField aria-label={say(['自', 'From'])} value={first as Day} allowClear={false} onChange={(day) => change([day ?? first, last])} />
      –
      <DayField aria-label={say(['至', 'To'])} value={last as Day} allowClear={false} onChange={(day) => change([first, day ?? last])} />
    </span>
  )
}
function Ways({ step, setStep }: { step: number; setStep: (step: number) => void }) {
  const say = useText()
  return (
    <Radio.Group
      value={step}
      onChange={({ target }) => setStep(target.value as number)}
      options={[
        { value: 0, label: say(['每人同一天同一班', 'Everybody has the same shift on a day']) },
        { value: 1, label: say(['逐人错开一天轮换', 'Rotate: each person starts one day further on']) },
      ]}
    />
  )
}

function faultOf({ first, last, from, to }: { first: string; last: string; from: string; to: string }): Text | undefined {
  if (from > to) return ['表内日期都已过去，请先换到以后的日期', 'All days in the grid are past: move to later days first']
  if (first > last) return ['开始日期应不晚于结束日期', 'The first day must not be after the last']
  if (first < from || last > to) return [`应在表内日期 ${from} 至 ${to} 之间`, `Must be within the grid: ${from} to ${to}`]
  return undefined
}
function outcome(result: Filled | undefined, tooMany: boolean): Text {
  if (!result) return ['选好班次顺序后，这里说明将排多少格', 'Choose a pattern to see how many shifts it sets']
  if (tooMany) return [`一次最多排 ${CELLS_MAX} 格，请减少人员或日期`, `At most ${CELLS_MAX} shifts at once: choose fewer people or days`]
  const { put, kept, requested } = result
  const asked: Text =
    requested > 0 ? [`（其中 ${requested} 个有待办申请，须先处理）`, ` (${requested} with an open request, to be settled first)`] : ['', '']
  return [
    `将排 ${put} 格；${kept} 个人日已有排班，保持不变${asked[0]}。填入后先检查再保存`,
    `Sets ${put} ${plural(put, 'shift')}; ${kept} ${plural(kept, 'day')} already rostered ${plural(kept, 'stays', 'stay')} as ${plural(kept, 'it is', 'they are')}${asked[1]}. Check and save afterwards`,
  ]
}

/** By shifts that there are. */
export function hintOf(shifts: readonly { name: string }[]): Text {
  const twice = shifts.slice(0, 2).flatMap(({ name }) => [name, name])
  return [
    `按顺序点班次，如 ${[...twice, OFF[0]].join(' ')}；排完从头循环`,
    `Press shifts in their order, for example ${[...twice, OFF[1]].join(' ')}; it repeats`,
  ]
}
/** Turns in their order, put one behind another. */
function Pattern({ pattern, change }: { pattern: Turn[]; change: (next: Turn[]) => void }) {
  const say = useText()
  const shifts = useShifts()
  const nameOf = (turn: Turn) => (turn === null ? say(OFF) : (shifts.find(({ id }) => id === turn)?.name ?? turn))
  const choices: { id: Turn; name: string }[] = [...shifts, { id: null, name: say(OFF) }]
  return (
    <Form.Item label={say(['班次顺序', 'Pattern'])} extra={say(hintOf(shifts))}>
      <div className="roster-choices roster-pattern">
        {choices.map(({ id, name }) => (
          <Button key={id} size="small" disabled={pattern.length >= TURNS_MAX} onClick={() => change([...pattern, id])}>
            + {name}
          </Button>
        ))}
      </div>
      <div className="roster-choices roster-pattern" aria-live="polite">
        {pattern.map((turn, at) => (
          <Tag
            key={at}
            closable={{ 'aria-label': say([`去掉第 ${at + 1} 个 ${nameOf(turn)}`, `Remove ${nameOf(turn)}, number ${at + 1}`]) }}
            onClose={(event) => {
              event.preventDefault()
              change(pattern.filter((_, other) => other !== at))
            }}
          >
            {nameOf(turn)}
          </Tag>
        ))}
      </div>
    </Form.Item>
  )
}
