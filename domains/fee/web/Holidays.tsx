import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Calendar } from '../../../platform/web/time/Calendar.tsx'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { type CalendarDay, Holiday, holiday, HolidayKind } from '../contract/holiday.ts'
import { RULE_CHANGES } from './changes.ts'

const CHANGES = [holiday.year, holiday.queryPage, ...RULE_CHANGES]
const TONES = { [HolidayKind.holiday]: 'error', [HolidayKind.worked]: 'warning', [HolidayKind.plain]: 'default' } as const

/** The days that rules take for holidays and for worked weekend days: the published calendar with the company's own changes. */
export function Holidays({ year, onClose }: { year?: number; onClose: () => void }) {
  const say = useText()
  const [month, setMonth] = useState(year === undefined ? cityDay().slice(0, 7) : `${year}-01`)
  const [setting, set] = useState<Pick<Of<typeof CalendarDay>, 'day' | 'kind' | 'name'>>()
  const shown = Number(month.slice(0, 4))
  const { data, error, refetch } = useQuery(asks(holiday.year, { year: shown }))
  const mayEdit = can(holiday.save.needs)
  const kindOf = ({ kind, name }: Of<typeof CalendarDay>) => `${say(HolidayKind.entries[kind])} ${name}`
  return (
    <Dialog
      changed={false}
      width={{ xs: '100%', md: '60%' }}
      footer={null}
      title={say([`节假日日历 · ${shown} 年`, `Holiday calendar · ${shown}`])}
      onClose={onClose}
    >
      {error && <Failed error={error as Refusal} retry={() => void refetch()} />}
      {data && !data.known && (
        <Alert
          showIcon
          type="warning"
          title={say([
            `${shown} 年的节假日还没有录入：未录入的日子按工作日与周末计费`,
            `The holidays of ${shown} have not been entered: until then days are billed as weekdays and weekends`,
          ])}
        />
      )}
      <Calendar
        label={['节假日日历', 'Holiday calendar']}
        month={month}
        onMonth={setMonth}
        entries={(data?.days ?? []).map((one) => ({
          key: one.day,
          day: one.day,
          title: one.changed ? say([`${kindOf(one)}（本企业）`, `${kindOf(one)} (own)`]) : kindOf(one),
          tone: TONES[one.kind],
          ...(mayEdit && { onOpen: () => set(one) }),
        }))}
        {...(mayEdit && { onAdd: (day: Day) => set({ day, kind: HolidayKind.holiday, name: '' }) })}
      />
      {setting && (
        <SetDay of={setting} changed={data?.days.find(({ day }) => day === setting.day)?.changed === true} onClose={() => set(undefined)} />
      )}
    </Dialog>
  )
}

/** Sets the kind of a day for the company's own rules; a change of its own can be reset to the published calendar. */
function SetDay({ of, changed, onClose }: { of: Pick<Of<typeof CalendarDay>, 'day' | 'kind' | 'name'>; changed: boolean; onClose: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const { data } = useQuery({ ...asks(holiday.queryPage, { dayFrom: of.day, dayTo: of.day }, { quiet: true }), enabled: changed })
  const own = data?.records[0]
  const back = async () => {
    if (own && (await act(holiday.delete, { id: own.id }, { done: ['已恢复为公布的日历', 'Back to the published calendar'] }))) onClose()
  }
  return (
    <FormDialog
      title={[`设置 ${of.day}`, `Set ${of.day}`]}
      entity={Holiday}
      mode="new"
      value={{ day: of.day, kind: of.kind, name: of.name }}
      save={holiday.save}
      changes={CHANGES}
      done={['已保存', 'Saved']}
      fields={['kind', 'name']}
      {...(own && { below: <Button onClick={() => void back()}>{say(['恢复为公布的日历', 'Back to the published calendar'])}</Button> })}
      onClose={onClose}
    />
  )
}
