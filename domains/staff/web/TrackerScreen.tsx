import { useQuery } from '@tanstack/react-query'
import { Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { lasting } from '../../../platform/contract/duration.ts'
import type { Day, Of, Tone } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { plural } from '../../../platform/contract/plural.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { State, Time } from '../../../platform/web/value.tsx'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { DUTY, STAFF } from '../contract/figures.ts'
import { DutyState, type NowAt, tracker } from '../contract/tracker.ts'
import { WorkRule } from '../contract/workWarning.ts'
import { PinKind, workLog } from '../contract/workLog.ts'
import { LogHead, LogStory } from './LogStory.tsx'
import './staff.css'

type Person = Of<typeof NowAt>
type Pin = Of<typeof workLog.pins.reply>[number]
type Shown = 'people' | 'pins'
const RENEW_MS = 30_000
const TONES: Record<number, Tone> = { [DutyState.there]: 'success', [DutyState.away]: 'warning', [DutyState.over]: 'default' }

/** Where everybody is now, and what happened where today. */
export default function TrackerScreen() {
  const say = useText()
  const [parkCode, setPark] = useState<string>()
  const [shown, show] = useState<Shown>('people')
  const [duty, setDuty] = useState<number>()
  const [chosen, choose] = useState<string>()
  const [reading, read] = useState<Person>()
  const day = cityDay() as Day
  const where = parkCode ? { parkCode } : {}
  const people = useQuery({ ...asks(tracker.now, where, { quiet: true }), refetchInterval: RENEW_MS })
  const pins = useQuery({ ...asks(workLog.pins, { workDate: day, ...where }, { quiet: true }), refetchInterval: RENEW_MS, enabled: shown === 'pins' })
  if (people.isError && !people.data) return <Failed error={people.error as Refusal} retry={() => void people.refetch()} />
  const all = people.data ?? []
  const rows = all.filter((one) => duty === undefined || one.dutyState === duty)
  const points = shown === 'people' ? peopleOn(rows, say) : pinsOn(pins.data ?? [], say)
  return (
    <div className="page staff-today">
      <PageHead
        purpose={[
          '收费员现在在哪里、是否在岗，今天哪里发生了什么；位置只在签到到签退之间采集',
          'Where collectors are, whether they are on duty, and today’s events; positions are recorded only between check-in and check-out',
        ]}
      />
      <Duties of={all} parkCode={parkCode} chosen={duty} onChoose={setDuty} />
      <div className="roster-bar">
        <Segmented<Shown>
          value={shown}
          onChange={show}
          options={[
            { value: 'people', label: say(['人员位置', 'Positions']) },
            { value: 'pins', label: say(['今日动态', 'Today’s events']) },
          ]}
        />
        <ParkSelect value={parkCode} onChange={(code: string | undefined) => setPark(code)} />
      </div>
      <div className="staff-map">
        <PlaceMap
          label={['人员地图', 'Staff map']}
          points={points}
          chosen={shown === 'people' ? chosen : undefined}
          height="100%"
          onOpen={(id) => shown === 'people' && choose(id)}
        />
        <aside aria-label={say(['收费员', 'Collectors'])}>
          {people.isPending ? (
            <Waiting lines={6} />
          ) : rows.length === 0 ? (
            <Nothing>{say(['没有符合条件的收费员', 'No matching collectors'])}</Nothing>
          ) : (
            <People of={rows} chosen={chosen} onChoose={(one) => (choose(one.tollNo), read(one))} />
          )}
        </aside>
      </div>
      {reading && <Log of={reading} day={day} onClose={() => read(undefined)} />}
    </div>
  )
}

/** Those whose position is known. */
const peopleOn = (people: readonly Person[], say: Say): MapPoint[] =>
  people.flatMap((one): MapPoint[] =>
    one.lng === null || one.lat === null
      ? []
      : [
          {
            id: one.tollNo,
            lng: one.lng,
            lat: one.lat,
            name: `${one.name} ${say(DutyState.entries[one.dutyState])}`,
            tone: TONES[one.dutyState],
          },
        ],
  )
const pinsOn = (pins: readonly Pin[], say: Say): MapPoint[] =>
  pins.map((pin, n): MapPoint => ({
    id: String(n),
    lng: pin.lng,
    lat: pin.lat,
    name: `${pin.name} ${say(PinKind.entries[pin.kind])} ${wordsOf(pin, say)}`,
    tone: PinKind.entries[pin.kind][2],
  }))
const wordsOf = ({ kind, text, bizNo }: { kind: number; text: string | null; bizNo: string | null }, say: ReturnType<typeof useText>) =>
  kind === PinKind.warning ? say(WorkRule.entries[Number(text) as 1]) : (text ?? bizNo ?? '')

interface DutiesProps {
  of: readonly Person[]
  parkCode: string | undefined
  chosen: number | undefined
  onChoose: (code: number | undefined) => void
}
/** How many stand where; one chosen, the map has only those. */
function Duties({ of, parkCode, chosen, onChoose }: DutiesProps) {
  const say = useText()
  const count = (code: number) => of.filter(({ dutyState }) => dutyState === code).length
  const warnings = of.reduce((sum, one) => sum + one.warnings, 0)
  const codes = [DutyState.there, DutyState.away, DutyState.before, DutyState.over, DutyState.leave]
  return (
    <>
      <Tiles label={['今日人员', 'Staff today']}>
        <Tile figure={DUTY.there} value={count(DutyState.there)} to={false} />
        <Tile figure={DUTY.away} value={count(DutyState.away)} to={false} tone={count(DutyState.away) > 0 && 'warning'} />
        <Tile figure={DUTY.before} value={count(DutyState.before)} to={false} />
        <Tile figure={DUTY.over} value={count(DutyState.over)} to={false} />
        <Tile figure={DUTY.leave} value={count(DutyState.leave)} to={false} />
        <Tile figure={STAFF.warnings} within={{ parkCode }} value={warnings} tone={warnings > 0 && 'error'} />
      </Tiles>
      <div className="roster-bar">
        <Segmented
          value={chosen ?? -1}
          onChange={(code) => onChoose(code === -1 ? undefined : code)}
          options={[
            { value: -1, label: say(['全部', 'All']) },
            ...codes.map((code) => ({ value: code as number, label: say(DutyState.entries[code]) })),
          ]}
        />
      </div>
    </>
  )
}

const AGO_MIN = 60
function agoOf(seconds: number): Text {
  const [zh, en] = lasting(seconds / 60)
  return [`${zh}前`, `${en} ago`]
}
function People({ of, chosen, onChoose }: { of: readonly Person[]; chosen: string | undefined; onChoose: (one: Person) => void }) {
  const say = useText()
  return (
    <ul>
      {of.map((one) => (
        <li key={one.tollNo} aria-current={chosen === one.tollNo}>
          <button type="button" onClick={() => onChoose(one)}>
            <b>{one.name}</b> {one.tollNo} <State dictionary={DutyState} value={one.dutyState} />
            {one.warnings > 0 && (
              <span className="state error">{say([`预警 ${one.warnings}`, `${one.warnings} ${plural(one.warnings, 'warning')}`])}</span>
            )}
            <span className="faint">
              {[
                one.shiftName,
                one.deviceTime === null ? say(['没有位置', 'No position']) : one.ageSec! < AGO_MIN * 60 ? say(agoOf(one.ageSec!)) : undefined,
                one.battery !== null ? say([`电量 ${one.battery}%`, `battery ${one.battery}%`]) : undefined,
              ]
                .filter(Boolean)
                .join(' · ')}
              {one.deviceTime !== null && one.ageSec! >= AGO_MIN * 60 && (
                <>
                  {' '}
                  <Time at={one.deviceTime} />
                </>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The log of today's work; of who has not come yet there is none. */
function Log({ of, day, onClose }: { of: Person; day: Day; onClose: () => void }) {
  const say = useText()
  const may = can(workLog.detail.needs)
  const found = useQuery({ ...asks(workLog.query, { tollNo: of.tollNo, workDateTo: day, limit: 1 }, { quiet: true }), enabled: may })
  const id = found.data?.records.find(({ workDate }) => workDate === day || of.dutyState === DutyState.there || of.dutyState === DutyState.away)?.id
  const detail = useQuery({ ...asks(workLog.detail, { id: id as never }, { quiet: true }), enabled: id !== undefined })
  return (
    <Drawer open size="large" onClose={onClose} title={detail.data ? <LogHead of={detail.data} /> : `${of.name} ${of.tollNo}`}>
      {detail.data ? (
        <LogStory of={detail.data} />
      ) : may && (found.isPending || (id !== undefined && detail.isPending)) ? (
        <Waiting lines={6} />
      ) : (
        <Nothing>
          {say(
            may
              ? ['今天还没有签到，没有工作日志', 'Not checked in today: no work log']
              : ['没有查看工作日志的权限', 'You have no permission to view work logs'],
          )}
        </Nothing>
      )}
    </Drawer>
  )
}
