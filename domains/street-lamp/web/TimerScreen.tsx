import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Flex, Input, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, dayOf, instantAt } from '../../../platform/contract/time.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { weekdaysIn } from '../../../platform/web/time/weekdays.tsx'
import { Lost, timer, type Timer, timerSearch, TimerStatus, TimerTarget } from '../contract/timer.ts'
import { Relay, wiring } from '../contract/wiring.ts'
import { TIMER_CHANGES } from './changes.ts'
import { actionWords } from './programWords.ts'
import { RunNow } from './RunNow.tsx'

type Row = Of<typeof Timer>
type Asked = { what: 'form'; of?: Row } | { what: 'run'; of: Row } | { what: 'calendar' }
const ProgramForm = lazy(async () => ({ default: (await import('./ProgramForm.tsx')).ProgramForm }))
const STAYS = ['默认程序不能修改；新增的定时优先于它', 'The default program cannot be changed; added programs take precedence'] as const

/** The programs that switch the lamps, and night by night which of them is in force. */
export default function TimerScreen() {
  const say = useText()
  const remove = useRemove(TIMER_CHANGES)
  const [asked, setAsked] = useState<Asked>()
  return (
    <>
      <ListScreen
        purpose={[
          '照明定时：可以重叠，每夜按优先级、日期范围、新旧取一个生效',
          'Lighting programs may overlap; each night one applies, by priority, then narrower dates, then newest',
        ]}
        query={timer.query}
        search={timerSearch}
        find={['name', 'target', 'kind', 'status']}
        columns={columnsOf(say)}
        add={{ call: timer.add, open: () => setAsked({ what: 'form' }) }}
        toolbar={<Open text={say(['逐夜计划', 'Nightly schedule'])} onOpen={() => setAsked({ what: 'calendar' })} />}
        actions={(row) => {
          const not = row.target === TimerTarget.byDefault && STAYS
          return [
            { text: Label.edit, needs: timer.update.needs, run: () => setAsked({ what: 'form', of: row }), not },
            {
              text: ['立即执行', 'Run now'],
              needs: timer.execute.needs,
              run: () => setAsked({ what: 'run', of: row }),
              not: row.status === TimerStatus.off && ['定时已停用', 'The program is disabled'],
            },
            { ...deleting(remove, timer.delete, { id: row.id, version: row.version }, row.name), not },
          ]
        }}
      />
      {asked?.what === 'form' && (
        <Suspense>
          <ProgramForm {...(asked.of && { of: asked.of })} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
      {asked?.what === 'run' && <RunNow of={asked.of} onClose={() => setAsked(undefined)} />}
      {asked?.what === 'calendar' && <Calendar onClose={() => setAsked(undefined)} />}
    </>
  )
}
const Open = ({ text, onOpen }: { text: string; onOpen: () => void }) => <Button onClick={onOpen}>{text}</Button>

const TARGETS_SHOWN = 3
const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  {
    dataIndex: 'targets',
    title: say(['对象', 'Target']),
    render: (_, { target, targets }) => (
      <>
        {say(TimerTarget.entries[target])} {targets.slice(0, TARGETS_SHOWN).join(', ')}
        {targets.length > TARGETS_SHOWN && ` +${targets.length - TARGETS_SHOWN}`}
      </>
    ),
  },
  'kind',
  'priority',
  {
    dataIndex: 'dateFrom',
    title: say(['日期', 'Dates']),
    render: (_, { dateFrom, dateTo, target }) => (target === TimerTarget.byDefault ? say(['始终', 'Always']) : `${dateFrom} ~ ${dateTo}`),
  },
  { dataIndex: 'dayMask', render: (_, { dayMask }) => say(weekdaysIn(dayMask)) },
  {
    dataIndex: 'actions',
    title: say(['动作', 'Actions']),
    render: (_, row) =>
      row.actions.length === 0 ? (
        say([`光照低于 ${row.luxBelow} 开`, `On below ${row.luxBelow} lux`])
      ) : (
        <Flex wrap gap={4}>
          {row.actions.map((one) => (
            <Tag key={one.at}>{say(actionWords(one))}</Tag>
          ))}
        </Flex>
      ),
  },
  'status',
]

const NIGHTS = 30
/** Thirty nights of one circuit: who is in force, when it switches, and what stands back and why. */
function Calendar({ onClose }: { onClose: () => void }) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const [wiringId, setWiringId] = useState<string>()
  const { data: found } = useQuery(asks(wiring.query, { ...(typed && { wiringCode: typed }), limit: 50 }, { quiet: true }))
  const [dateFrom] = useState(() => dayOf(instantAt(Date.now())))
  const nights = useQuery({
    ...asks(timer.calendar, { wiringId: wiringId as never, dateFrom, days: NIGHTS }, { quiet: true }),
    enabled: wiringId !== undefined,
  })
  return (
    <Drawer open size={960} title={say(['逐夜计划', 'Nightly schedule'])} onClose={onClose}>
      <Input.Search
        aria-label={say(['回路编号', 'Circuit code'])}
        placeholder={say(['按回路编号查找', 'Search by circuit code'])}
        onSearch={setTyped}
        style={{ marginBottom: 8 }}
      />
      <Select
        aria-label={say(['回路', 'Circuit'])}
        style={{ width: '100%', marginBottom: 12 }}
        placeholder={say(['请选择回路', 'Choose a circuit'])}
        value={wiringId}
        onChange={setWiringId}
        options={(found?.records ?? []).map(({ id, wiringCode, name }) => ({ value: id as string, label: `${wiringCode} ${name}` }))}
      />
      {wiringId === undefined ? (
        <Nothing>{say(['选择一个回路查看它的 30 夜', 'Choose a circuit to see its next 30 nights'])}</Nothing>
      ) : nights.isError ? (
        <Failed error={nights.error as Refusal} />
      ) : !nights.data ? (
        <Waiting lines={10} />
      ) : (
        <Nights of={nights.data} />
      )}
      <p className="faint">{say(['日落日出按配电箱坐标计算', 'Sunset and sunrise are calculated for the box’s coordinates'])}</p>
    </Drawer>
  )
}
const clock = (at: string) => cityTime(at as Instant).slice(11, 16)

type Night = Of<typeof timer.calendar.reply>[number]
function Nights({ of }: { of: readonly Night[] }) {
  const say = useText()
  return (
    <div style={{ overflowX: 'auto' }}>
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['夜', 'Night'])}</th>
            <th>{say(['日落/日出', 'Sunset/sunrise'])}</th>
            <th>{say(['生效', 'In force'])}</th>
            <th>{say(['动作', 'Actions'])}</th>
            <th>{say(['让位', 'Overridden'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.date}>
              <td>{one.date}</td>
              <td>
                {clock(one.sunset)} / {clock(one.sunrise)}
              </td>
              <td>{one.winner.name}</td>
              <td>
                {one.events
                  .map(({ at, relay, dim }) => `${clock(at)} ${say(relay === Relay.on ? [`${dim}%`, `${dim}%`] : ['关', 'off'])}`)
                  .join('，')}
              </td>
              <td>
                {one.losers.map(({ timerId, name, why }) => (
                  <div key={timerId}>
                    {name}（<State dictionary={Lost} value={why} />）
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
