import { Input, Radio } from 'antd'
import { type ReactElement, useEffect, useRef } from 'react'
import type { CodeOf, Dictionary } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { FeeChoice, gate, GateAction, lacksNote, OpenReason } from '../../contract/gate.ts'
import { useAtGate, useParkOf } from './atGate.ts'
import { GATE_CHANGES, LANE_CHANGES } from '../stay/changes.ts'
import { actLines, LOCK_EFFECT } from './laneActs.ts'

/** The lane that a dialog acts on. */
export interface AtGate {
  gateCode: string
  name: string
  direction: number
  /** The amount that the car at the exit still owes; with one, the person has to say what becomes of it. */
  dueFen?: number
  /** The car that it is done for; none: whatever stands there. */
  plateNo?: string | null
}
const EXIT = 2

interface ChoiceProps<S extends number> {
  of: Dictionary<S>
  id?: string
  value?: S
  onChange?: (value: S) => void
  /** Takes the focus when its dialog has opened. */
  first?: boolean
}
/** A few choices, all seen at once: arrows or the number of the choice. */
export function Choice<S extends number>({ of, first, onChange, ...rest }: ChoiceProps<S>): ReactElement {
  const say = useText()
  const group = useRef<HTMLDivElement>(null)
  const codes = Object.keys(of.entries).map(Number) as S[]
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const box = group.current!
    const press = (event: KeyboardEvent) => {
      const code = codes[Number(event.key) - 1]
      if (code !== undefined) latest.current?.(code)
    }
    box.addEventListener('keydown', press)
    return () => box.removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    if (!first) return
    const wait = setTimeout(() => group.current?.querySelector('input')?.focus(), FOCUS_AFTER_MS)
    return () => clearTimeout(wait)
  }, [first])
  return (
    <div ref={group} className="choice">
      <Radio.Group
        {...rest}
        optionType="button"
        options={codes.map((code) => ({ value: code, label: say(of.entries[code]) }))}
        onChange={({ target }) => onChange?.(target.value as S)}
      />
    </div>
  )
}
/** The dialog takes the focus itself when it opens. */
const FOCUS_AFTER_MS = 200

/** Park, lane and what is done there. */
const titleOf = (park: string | undefined, { name }: AtGate, act: Text): Text => [
  [park, name, act[0]].filter(Boolean).join(' · '),
  [park, name, act[1]].filter(Boolean).join(' · '),
]
const FEE_HELP: Text = [
  '通道上有未缴费的车时必须选择：免费＝减免，欠费＝记入欠费待追缴，已现金＝登记为已收现金',
  'Required when an unpaid car is at the lane: free waives the fee, arrears records it as owed, cash records it as paid in cash',
]

/** "Other" needs a word of why. */
const NOTE = {
  name: 'remark',
  optional: true,
  check: (typed: Readonly<Record<string, unknown>>): Text | undefined =>
    lacksNote(typed) ? ['选「其他」时请填写说明', 'With “Other”, say why'] : undefined,
  beside: ['reason'],
} as const

/** Where money is due, the form wants to know what becomes of it before the server has to. */
const WITH_FEE: typeof gate.openGate = { ...gate.openGate, input: { ...gate.openGate.input, required: ['gateCode', 'reason', 'fee'] } as never }
/** Raises a barrier by hand: with a reason, and at an exit with the treatment of the fee. The dialog follows the car at the lane. */
export function OpenGate({ at, fee, onClose }: { at: AtGate; fee?: CodeOf<typeof FeeChoice>; onClose: () => void }) {
  const { park, car, gone } = useAtGate(at)
  const leaves = at.direction >= EXIT
  const due = leaves && car.dueFen > 0
  return (
    <FormDialog
      title={titleOf(park, at, actLines(car, 'open', {}).title)}
      entity={gate.openGate.input}
      mode="new"
      value={{ gateCode: at.gateCode, action: GateAction.open, ...(fee && { fee }) }}
      save={due ? WITH_FEE : gate.openGate}
      act={({ fee: chosen }) => actLines(car, 'open', chosen ? { fee: chosen } : {}).button}
      gone={gone}
      done={['开闸指令已下发', 'Open command sent']}
      changes={LANE_CHANGES}
      fields={[
        { name: 'reason', control: <Choice of={OpenReason} first /> },
        ...(leaves ? [{ name: 'fee' as const, control: <Choice of={FeeChoice} />, help: FEE_HELP }] : []),
        NOTE,
      ]}
      onClose={onClose}
    />
  )
}

/** Lets everything through for a while. */
export function KeepOpen({ at, onClose }: { at: AtGate; onClose: () => void }) {
  const park = useParkOf(at.gateCode)?.name
  return (
    <FormDialog
      title={titleOf(park, at, ['常开', 'Keep open'])}
      entity={gate.openGate.input}
      mode="new"
      value={{ gateCode: at.gateCode, action: GateAction.keepOpen, seconds: 600 }}
      save={gate.openGate}
      act={[`${at.name} 保持常开`, `Keep ${at.name} open`]}
      done={['常开指令已下发', 'Keep-open command sent']}
      changes={LANE_CHANGES}
      fields={[
        { name: 'reason', control: <Choice of={OpenReason} first /> },
        {
          name: 'seconds',
          help: ['到时自动恢复；期间通过的车不再逐一判断', 'Ends automatically; until then cars pass without a decision on each'],
        },
        NOTE,
      ]}
      onClose={onClose}
    />
  )
}

export function CloseGate({ at, onClose }: { at: AtGate; onClose: () => void }) {
  const park = useParkOf(at.gateCode)?.name
  return (
    <FormDialog
      title={titleOf(park, at, ['关闸', 'Close barrier'])}
      entity={gate.openGate.input}
      mode="new"
      value={{ gateCode: at.gateCode, action: GateAction.close }}
      save={gate.openGate}
      act={[`关闸 ${at.name}`, `Close ${at.name}`]}
      done={['关闸指令已下发', 'Close command sent']}
      changes={LANE_CHANGES}
      fields={[
        { name: 'reason', control: <Choice of={OpenReason} first />, help: ['落杆前请确认杆下无车', 'Make sure no car is under the barrier'] },
        NOTE,
      ]}
      onClose={onClose}
    />
  )
}

/** Keeps the barrier down until somebody unlocks it, or lets it go again. */
export function LockGate({ at, locked, onClose }: { at: AtGate; locked: boolean; onClose: () => void }) {
  const park = useParkOf(at.gateCode)?.name
  const [zh, en] = locked ? ['解锁', 'Unlock'] : ['锁闸', 'Lock']
  return (
    <FormDialog
      title={titleOf(park, at, [zh, en])}
      entity={gate.openGate.input}
      mode="new"
      value={{ gateCode: at.gateCode, action: locked ? GateAction.unlock : GateAction.lock }}
      save={gate.openGate}
      act={[`${zh} ${at.name}`, `${en} ${at.name}`]}
      done={locked ? ['已解锁', 'Unlocked'] : ['已锁闸', 'Locked']}
      changes={[...LANE_CHANGES, ...GATE_CHANGES]}
      fields={[
        {
          name: 'reason',
          control: <Choice of={OpenReason} first />,
          help: LOCK_EFFECT[locked ? 'unlock' : 'lock'],
        },
        NOTE,
      ]}
      onClose={onClose}
    />
  )
}

const LED_LINES = 4
const LED_CHARS = 16
export function LedLines({ value = [], onChange, ...rest }: { id?: string; value?: string[]; onChange?: (lines: string[]) => void }) {
  const say = useText()
  const long = value.findIndex((line) => line.length > LED_CHARS)
  return (
    <>
      <Input.TextArea
        {...rest}
        className="led"
        rows={LED_LINES}
        value={value.join('\n')}
        onChange={({ target }) => onChange?.(target.value.split('\n').slice(0, LED_LINES))}
        placeholder={say(['每行最多 16 个字，最多 4 行', 'At most 4 lines of 16 characters'])}
        status={long >= 0 ? 'error' : ''}
      />
      {long >= 0 && <span className="bad">{say([`第 ${long + 1} 行超过 16 个字`, `Line ${long + 1} is longer than 16 characters`])}</span>}
    </>
  )
}
/** Shows a text on the lane's LED sign. */
export function LedText({ at, onClose }: { at: AtGate; onClose: () => void }) {
  const park = useParkOf(at.gateCode)?.name
  return (
    <FormDialog
      title={titleOf(park, at, ['LED 文字', 'LED text'])}
      entity={gate.textToLed.input}
      mode="new"
      value={{ gateCode: at.gateCode, seconds: 20 }}
      save={gate.textToLed}
      act={['显示', 'Show']}
      done={['显示指令已下发', 'Text sent']}
      changes={LANE_CHANGES}
      fields={[{ name: 'lines', control: <LedLines /> }, { name: 'seconds' }, { name: 'color', optional: true }]}
      onClose={onClose}
    />
  )
}
