import { plural } from '../../../platform/contract/plural.ts'
import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, InputNumber, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { type Of, whole } from '../../../platform/contract/field.ts'
import { dayOf, DAY_MS, instantAt } from '../../../platform/contract/time.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { RegionField } from '../../../platform/web/map/regions.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { WeekdaysSelect } from '../../../platform/web/time/weekdays.tsx'
import { Action, Lost, timer, Timer, TimerKind, TimerStatus, TimerTarget } from '../contract/timer.ts'
import { TIMER_CHANGES } from './changes.ts'
import { BoxSelect, WiringSelect } from './choices.tsx'
import { Relay } from '../contract/wiring.ts'

type Row = Of<typeof Timer>
type ActionOf = Row['actions'][number]
const DARK_AT_SUNRISE: ActionOf = { at: 'sunrise', relay: Relay.off, dim: 0 }
const NIGHT: ActionOf[] = [{ at: 'sunset', relay: Relay.on, dim: 100 }, { at: '23:30', relay: Relay.on, dim: 50 }, DARK_AT_SUNRISE]

/** A program of boxes, circuits or regions. Saving shows its effect in the nights to come. */
export function ProgramForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const now = Date.now()
  const isNew = of === undefined
  const fresh = {
    target: TimerTarget.boxes,
    targets: [],
    kind: TimerKind.sun,
    dateFrom: dayOf(instantAt(now)),
    dateTo: dayOf(instantAt(now + 365 * DAY_MS)),
    dayMask: 127,
    priority: 10,
    actions: NIGHT,
    status: TimerStatus.on,
  }
  const shared = {
    ...{ entity: Timer, changes: TIMER_CHANGES, onClose, onSaved: (reply: unknown) => tellNights(reply as Of<typeof timer.add.reply>) },
    fields: [
      'name',
      { name: 'target', half: true },
      { name: 'targets', control: <Codes />, help: ['可多个', 'Several allowed'] },
      { name: 'kind', help: ['光照方式没有动作，只有阈值', 'Light-level programs have a threshold and no actions'] },
      { name: 'actions', control: <Actions />, check: actionFault, optional: true, help: ['从中午到次日中午依次排列', 'In order from noon to noon'] },
      { name: 'luxBelow', optional: true },
      'dateFrom',
      'dateTo',
      { name: 'dayMask', control: <WeekdaysSelect /> },
      {
        name: 'priority',
        help: ['大者优先；相同时日期范围窄的优先，再相同时新建的优先', 'Higher wins; then narrower dates; then the newer program'],
      },
      'status',
    ] as const,
  }
  if (isNew) return <FormDialog {...shared} mode="new" value={fresh} save={timer.add} />
  const { id, version, name, target, targets, kind, actions, luxBelow, dateFrom, dateTo, dayMask, priority, status } = of
  return (
    <FormDialog
      {...shared}
      mode="edit"
      value={{ id, version, name, target, targets, kind, actions, luxBelow, dateFrom, dateTo, dayMask, priority, status }}
      save={timer.update}
    />
  )
}

/** Tonight and the next nights: in force, or behind which program and why. */
function tellNights({ id, nights }: Of<typeof timer.add.reply>): void {
  const won = nights.filter(({ winners }) => winners.some(({ timerId }) => timerId === id)).length
  const behind = nights.find(({ losers }) => losers.some(({ timerId }) => timerId === id))
  const why = behind?.losers.find(({ timerId }) => timerId === id)?.why
  const [zh, en] =
    why === undefined
      ? ['', '']
      : [
          `；让位于「${behind!.winners[0]!.name}」（${Lost.entries[why][0]}）`,
          `; overridden by “${behind!.winners[0]!.name}” (${Lost.entries[why][1]})`,
        ]
  toast(won === 0 ? 'warning' : 'success', [
    `已保存，今后 ${nights.length} 夜中 ${won} 夜生效${zh}`,
    `Saved: applies on ${won} of the next ${nights.length} ${plural(nights.length, 'night')}${en}`,
  ])
}

interface ControlProps<T> {
  id?: string
  value?: T
  onChange?: (value: T) => void
}
function Codes({ id, value = [], onChange }: ControlProps<string[]>) {
  const target = Form.useWatch('target')
  if (target === TimerTarget.regions) return <RegionField many {...(id && { id })} value={value} {...(onChange && { onChange })} />
  const shared = { many: true, ...(id && { id }), value, ...(onChange && { onChange }) }
  return target === TimerTarget.wirings ? <WiringSelect {...shared} /> : <BoxSelect {...shared} />
}

const CLOCK = 'HH:mm'
const SHIFT = whole('偏移分钟', 'Offset in minutes', { min: -240, max: 240 })
const SUN = /^(sunset|sunrise)([+-]\d+)?$/
const shiftFault = (at: string) => numberFault(SHIFT, Number(SUN.exec(at)?.[2] ?? 0))
const actionFault = ({ actions }: Readonly<Record<string, unknown>>) =>
  (actions as readonly ActionOf[] | undefined)
    ?.flatMap(({ at, dim }) => [shiftFault(at), numberFault(Action.properties.dim, dim)])
    .find((fault) => fault !== undefined)
/** Actions row by row: by the clock or by the sun, and how bright. */
function Actions({ value = [], onChange }: ControlProps<ActionOf[]>) {
  const say = useText()
  const set = (n: number, one: Partial<ActionOf>) => onChange?.(value.map((action, i) => (i === n ? { ...action, ...one } : action)))
  return (
    <div>
      {value.map((action, n) => (
        // A row has no name of its own: its place is what it is.
        <div key={`${n}`} style={{ display: 'flex', gap: 8, marginBottom: 4, alignItems: 'center' }}>
          <When at={action.at} onChange={(at) => set(n, { at })} />
          <InputNumber
            aria-label={say(['亮度', 'Dim level'])}
            {...(numberFault(Action.properties.dim, action.dim) && { status: 'error' as const })}
            value={action.dim}
            suffix="%"
            onChange={(dim) => set(n, { dim: dim as number, relay: (dim ?? 0) > 0 ? 1 : 0 })}
          />
          <span className="faint">{action.dim === 0 && say(['关', 'off'])}</span>
          <Button
            type="text"
            icon={<MinusCircleOutlined />}
            aria-label={say(['删除动作', 'Remove action'])}
            onClick={() => onChange?.(value.filter((_, i) => i !== n))}
          />
        </div>
      ))}
      <Button size="small" icon={<PlusOutlined />} onClick={() => onChange?.([...value, { ...DARK_AT_SUNRISE }])}>
        {say(['添加动作', 'Add action'])}
      </Button>
    </div>
  )
}
function When({ at, onChange }: { at: string; onChange: (at: string) => void }) {
  const say = useText()
  const [, edge, shift = '0'] = SUN.exec(at) ?? []
  const options = [
    { value: 'clock', label: say(['时刻', 'Time']) },
    { value: 'sunset', label: say(['日落', 'Sunset']) },
    { value: 'sunrise', label: say(['日出', 'Sunrise']) },
  ]
  const shifted = (minutes: number) => `${edge}${minutes === 0 ? '' : minutes > 0 ? `+${minutes}` : minutes}`
  return (
    <>
      <Select
        aria-label={say(['方式', 'Method'])}
        style={{ width: 96 }}
        value={edge ?? 'clock'}
        options={options}
        onChange={(by: string) => onChange(by === 'clock' ? '23:30' : by)}
      />
      {edge ? (
        <InputNumber
          aria-label={say(['偏移分钟', 'Offset in minutes'])}
          precision={0}
          {...(shiftFault(at) && { status: 'error' as const })}
          value={Number(shift)}
          suffix={say(['分', 'min'])}
          onChange={(minutes) => onChange(shifted(minutes ?? 0))}
        />
      ) : (
        <TimePicker
          aria-label={say(['时刻', 'Time'])}
          format={CLOCK}
          allowClear={false}
          value={dayjs(`2026-01-01 ${at}`)}
          onChange={(time) => time && onChange((Array.isArray(time) ? time[0]! : time).format(CLOCK))}
        />
      )}
    </>
  )
}
