import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, InputNumber, Select } from 'antd'
import type { Of } from '../../contract/field.ts'
import { movable } from '../../contract/rhythm.ts'
import { Rhythm, ScheduledExport, scheduled } from '../../contract/scheduled.ts'
import { type ExportCall, SHEET_FORMATS, type SheetFormat } from '../../contract/sheet.ts'
import { ZONE_NAME } from '../../contract/time.ts'
import { asks } from '../ask.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { useAct } from '../form/remove.tsx'
import { type Say, type Text, useText } from '../text.ts'
import { labelOf, shapesOf } from '../value.tsx'

type Row = Of<typeof ScheduledExport>
interface Control<T> {
  id?: string
  value?: T
  onChange?: (value: T | null) => void
}
const WEEKDAYS: readonly Text[] = [
  ['星期一', 'Monday'],
  ['星期二', 'Tuesday'],
  ['星期三', 'Wednesday'],
  ['星期四', 'Thursday'],
  ['星期五', 'Friday'],
  ['星期六', 'Saturday'],
  ['星期日', 'Sunday'],
]

/** A list's export with its filter, daily, weekly or monthly; without `call`, one's own plan is changed. */
export default function ScheduleDialog({
  call,
  criteria = {},
  format = 'xls',
  of,
  onClose,
}: {
  call?: ExportCall<any>
  criteria?: object
  format?: SheetFormat
  of?: Row
  onClose: () => void
}) {
  const say = useText()
  const shapes = call ? shapesOf(call.input) : {}
  const ranges = call ? movable(call.input) : []
  const filtered = Object.keys(criteria).filter((name) => shapes[name] && !['orderByColumn', 'isAsc'].includes(name))
  const labels = [...new Set(filtered.map((name) => say(labelOf(shapes[name]!))))].join(say(['、', ', ']))
  return (
    <FormDialog
      title={of ? ['修改定时导出', 'Change the scheduled export'] : ['定时导出', 'Schedule this export']}
      entity={ScheduledExport}
      mode={of ? 'edit' : 'new'}
      value={of ?? { name: call ? say(call.title) : '', rhythm: Rhythm.daily, timeOfDay: '07:30', format, columns: [], moving: null, day: null }}
      save={(of ? scheduled.update : scheduled.add) as typeof scheduled.add}
      also={of ? {} : { call: call!.id, criteria: Object.fromEntries(Object.entries(criteria)) }}
      changes={[scheduled.queryPage, scheduled.runs]}
      act={of ? ['保存', 'Save'] : ['开始定时导出', 'Schedule']}
      done={['已安排，文件生成后通知您', 'Scheduled; you will be notified when each file is ready']}
      about={
        call && (
          <p className="soft">
            {say(call.title)} ·{' '}
            {labels ? say([`按当前筛选：${labels}`, `Filtered by ${labels}`]) : say(['全部数据（未筛选）', 'All data, no filter'])}
            <br />
            {say([
              '每次按您当时的权限导出；权限或账号失效即停止。',
              'Each run uses the permissions you have then; it stops once the permission or the account ends.',
            ])}
            <Others call={call} criteria={criteria} onDone={onClose} />
          </p>
        )
      }
      fields={fieldsOf(say, call, ranges) as never}
      onClose={onClose}
    />
  )
}

/** Named, how often, when, and of what: the range that moves along, the columns. */
const fieldsOf = (say: Say, call: ExportCall<any> | undefined, ranges: readonly string[]) => {
  const shapes = call ? shapesOf(call.input) : {}
  return [
    { name: 'name', help: ['出现在文件列表和通知里', 'Shown in the file list and in notifications'] },
    'rhythm',
    { name: 'day', label: ['日期', 'Day'], control: <DayOf />, optional: true, check: missingDay, beside: ['rhythm'] },
    { name: 'timeOfDay', control: <Input type="time" className="search-one" />, help: ZONE_NAME },
    ...(ranges.length > 0
      ? [
          {
            name: 'moving',
            label: ['统计范围', 'Range'],
            control: (
              <Chosen
                options={ranges.map((name) => ({ value: name, label: say(labelOf(shapes[`${name}From`]!)) }))}
                none={['按筛选条件，不推移', 'As filtered, fixed']}
              />
            ),
            optional: true,
            help: [
              '选定的时间条件取执行前的一段：每天为前一日，每周为前七日，每月为上个自然月',
              'The chosen range covers the time before each run: the previous day, the previous seven days or the previous calendar month',
            ],
          },
        ]
      : []),
    ...(call
      ? [
          {
            name: 'columns',
            control: <Several options={call.columns.map(({ name, label }) => ({ value: name, label: say(label) }))} />,
            optional: true,
          },
        ]
      : []),
    { name: 'format', control: <Select options={SHEET_FORMATS.map((value) => ({ value, label: `.${value}` }))} /> },
  ]
}

/** Those that one has of this list already: each may take the filter that acts now. */
function Others({ call, criteria, onDone }: { call: ExportCall<any>; criteria: object; onDone: () => void }) {
  const say = useText()
  const act = useAct([scheduled.queryPage])
  const { data } = useQuery(asks(scheduled.queryPage, { call: call.id, limit: OTHERS_MOST }, { quiet: true }))
  const take = async ({ id, version, name }: Row) => {
    const question: Text = [`「${name}」以后按当前筛选导出？`, `Export “${name}” with the current filter from now on?`]
    const input = { id, version, criteria: { ...criteria } }
    if (await act(scheduled.update, input, { question, act: ['替换筛选', 'Replace filter'], done: ['已按当前筛选', 'Now uses the current filter'] }))
      onDone()
  }
  return data?.records.map((one) => (
    <span key={one.id}>
      <br />
      {say(['已有', 'Existing'])} <b>{one.name}</b> {say(whenOf(one))}{' '}
      <Button size="small" onClick={() => void take(one)}>
        {say(['改用当前筛选', 'Use current filter'])}
      </Button>
    </span>
  ))
}
const OTHERS_MOST = 20

const missingDay = ({ rhythm, day }: Readonly<Record<string, unknown>>): Text | undefined =>
  rhythm === Rhythm.daily || day ? (rhythm === Rhythm.weekly && Number(day) > WEEKDAYS.length ? CHOOSE : undefined) : CHOOSE
const CHOOSE: Text = ['请选择日期', 'Choose a day']

/** A weekday, a day of the month, or nothing: as the rhythm says. */
function DayOf({ value, onChange, ...rest }: Control<number>) {
  const say = useText()
  const rhythm = Form.useWatch('rhythm') as number | undefined
  if (rhythm === Rhythm.weekly)
    return (
      <Select
        {...rest}
        value={value ?? null}
        onChange={(day) => onChange?.(day)}
        options={WEEKDAYS.map((day, place) => ({ value: place + 1, label: say(day) }))}
        placeholder={say(CHOOSE)}
      />
    )
  if (rhythm === Rhythm.monthly)
    return (
      <InputNumber
        {...rest}
        precision={0}
        value={value ?? null}
        onChange={(day) => onChange?.(day)}
        suffix={say(['日（当月没有则为最后一天）', ', or the last day'])}
        style={{ width: 260 }}
      />
    )
  return <span className="faint">{say(['每天', 'Every day'])}</span>
}
function Chosen({ none, value, ...props }: Control<string> & { options: object[]; none: Text }) {
  const say = useText()
  return (
    <Select
      allowClear
      placeholder={say(none)}
      value={value ?? null}
      {...(props as object)}
      onChange={(one) => props.onChange?.((one as string | undefined) ?? null)}
    />
  )
}
function Several(props: Control<string[]> & { options: object[] }) {
  const say = useText()
  return (
    <Select
      mode="multiple"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['全部列', 'All columns'])}
      {...(props as object)}
    />
  )
}

const two = (day: number) => WEEKDAYS[day - 1] ?? WEEKDAYS[0]!
/** 每周 星期一 07:30 */
export const whenOf = ({ rhythm, day, timeOfDay }: Pick<Row, 'rhythm' | 'day' | 'timeOfDay'>): Text => {
  if (rhythm === Rhythm.daily) return [`每天 ${timeOfDay}`, `Daily at ${timeOfDay}`]
  if (rhythm === Rhythm.weekly) return [`每周${two(day ?? 1)[0].slice(-1)} ${timeOfDay}`, `${two(day ?? 1)[1]}s at ${timeOfDay}`]
  return [`每月 ${day} 日 ${timeOfDay}`, `Monthly on day ${day} at ${timeOfDay}`]
}
