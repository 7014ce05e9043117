import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Instant, Of, Tone } from '../../../platform/contract/field.ts'
import { cityTime, DAY_MS, instantAt } from '../../../platform/contract/time.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { cityDay, dayStart, percent } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { box, BoxStatus, electricity, TrendUnit } from '../contract/box.ts'
import { LAMP_ENERGY } from '../contract/figures.ts'
import { lamp, LampState } from '../contract/lamp.ts'
import { LightState, wiring } from '../contract/wiring.ts'
import { kwh } from './figures.ts'
import { lightOfBox } from './lightOfBox.ts'
import { type Circuit, ReadState } from './Lights.tsx'
import { SwitchDialog } from './Switch.tsx'
import type { Turn } from './switchTitle.ts'
import './lamp.css'

const RENEW_MS = 30_000
type Spot = Of<typeof box.queryList.reply>[number]

/** The boxes where they stand, by their light; the one that is chosen with its circuits and what it used. */
export default function BoxMapScreen() {
  const say = useText()
  const [chosen, setChosen] = useState<string>()
  const spots = useQuery({ ...asks(box.queryList, {}, { quiet: true }), refetchInterval: RENEW_MS })
  const codes = (spots.data ?? []).slice(0, BOXES_LOOKED_AT).map(({ boxCode }) => boxCode)
  const lights = useQuery({ ...asks(wiring.status, { boxCodes: codes }, { quiet: true }), enabled: codes.length > 0, refetchInterval: RENEW_MS })
  const lamps = useLamps(chosen)
  if (spots.isError && !spots.data) return <Failed error={spots.error as Refusal} retry={() => void spots.refetch()} />
  const byBox = Map.groupBy(lights.data ?? [], ({ boxCode }) => boxCode)
  const points = (spots.data ?? []).map((one): MapPoint => {
    const state = lightOfBox(one, byBox.get(one.boxCode) ?? [])
    return {
      id: one.boxCode,
      name: `${one.name} ${say(LightState.entries[state])}`,
      lng: one.lng,
      lat: one.lat,
      tone: LightState.entries[state][2] as Tone | undefined,
    }
  })
  const byCode = new Set(points.map(({ id }) => id))
  return (
    <div className="page lamp-page">
      <PageHead
        purpose={[
          '配电箱的位置与亮灯状态；点一个箱看回路、用电并开关',
          'Location and light state of boxes; click one to see its circuits and energy, and to switch it',
        ]}
      />
      <div className="lamp-map">
        <PlaceMap
          label={['路灯地图', 'Lamp map']}
          points={[...points, ...lamps]}
          chosen={chosen}
          height="100%"
          onOpen={(id) => byCode.has(id) && setChosen(id)}
        />
        <aside aria-label={say(['配电箱', 'Boxes'])}>
          {lights.isError && <Failed error={lights.error as Refusal} retry={() => void lights.refetch()} />}
          {chosen ? (
            <OneBox
              spot={spots.data?.find(({ boxCode }) => boxCode === chosen)}
              circuits={byBox.get(chosen) ?? []}
              onClose={() => setChosen(undefined)}
            />
          ) : (
            <Boxes spots={spots.data ?? []} byBox={byBox} waits={spots.isPending} onOpen={setChosen} />
          )}
          <Energy {...(chosen && { boxCode: chosen })} />
          <Months />
        </aside>
      </div>
    </div>
  )
}
const BOXES_LOOKED_AT = 500

/** The single lamps of the box that is looked at, where they stand. */
function useLamps(boxCode: string | undefined): MapPoint[] {
  const say = useText()
  const { data } = useQuery({
    ...asks(lamp.query, { ...(boxCode !== undefined && { boxCode }), limit: LAMPS_SHOWN }, { quiet: true }),
    enabled: boxCode !== undefined,
    refetchInterval: RENEW_MS,
  })
  return (data?.records ?? []).flatMap(({ id, lampNo, lng, lat, state }): MapPoint[] => {
    const [zh, en, tone] = LampState.entries[state]
    return lng === null || lat === null ? [] : [{ id, name: `${lampNo} ${say([zh, en])}`, lng, lat, tone: tone as Tone | undefined }]
  })
}
const LAMPS_SHOWN = 500

function Boxes({
  spots,
  byBox,
  waits,
  onOpen,
}: {
  spots: readonly Spot[]
  byBox: ReadonlyMap<string, readonly Circuit[]>
  waits: boolean
  onOpen: (code: string) => void
}) {
  const say = useText()
  if (waits) return <Waiting lines={6} />
  if (spots.length === 0) return <Nothing>{say(['还没有配电箱', 'No boxes yet'])}</Nothing>
  return (
    <ul>
      {spots.map((one) => (
        <li key={one.boxCode}>
          <button type="button" onClick={() => onOpen(one.boxCode)}>
            <b>{one.name}</b> <State dictionary={LightState} value={lightOfBox(one, byBox.get(one.boxCode) ?? [])} />
            <span className="faint"> {say([`${one.circuits} 回路`, `${one.circuits} ${plural(one.circuits, 'circuit')}`])}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function OneBox({ spot, circuits, onClose }: { spot: Spot | undefined; circuits: readonly Circuit[]; onClose: () => void }) {
  const say = useText()
  const [turn, setTurn] = useState<Turn>()
  if (!spot) return null
  return (
    <section>
      <Button type="text" size="small" onClick={onClose}>
        ← {say(['全部配电箱', 'All boxes'])}
      </Button>
      <h3>
        {spot.name} <State dictionary={BoxStatus} value={spot.status} />
      </h3>
      {can(wiring.batchUpdate.needs) && circuits.length > 0 && (
        <p>
          <Button onClick={() => setTurn('on')}>{say(['全部开灯', 'All on'])}</Button>{' '}
          <Button onClick={() => setTurn('off')}>{say(['全部关灯', 'All off'])}</Button>
        </p>
      )}
      <Section title={['回路', 'Circuits']}>
        <table className="lines">
          <tbody>
            {circuits.map((one) => (
              <tr key={one.id}>
                <td>
                  {one.circuitNo} {one.name}
                </td>
                <td>
                  <State dictionary={LightState} value={one.state} />
                </td>
                <td>
                  <ReadState of={one} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {turn && <SwitchDialog turn={turn} of={circuits} onClose={() => setTurn(undefined)} />}
    </section>
  )
}

/** Twenty-four hours, thirty days and twelve months, of one box or of all. */
function Energy({ boxCode }: { boxCode?: string }) {
  const say = useText()
  const [now] = useState(() => Date.now())
  const of = boxCode ? { boxCodes: [boxCode] } : {}
  const hours = useQuery(
    asks(electricity.trend, { ...of, unit: TrendUnit.hour, timeFrom: instantAt(now - DAY_MS), timeTo: instantAt(now) }, { quiet: true }),
  )
  const days = useQuery(
    asks(electricity.trend, { ...of, unit: TrendUnit.day, timeFrom: instantAt(now - 30 * DAY_MS), timeTo: instantAt(now) }, { quiet: true }),
  )
  const months = useQuery(
    asks(
      electricity.trend,
      { ...of, unit: TrendUnit.month, timeFrom: dayStart(`${monthsUntil(cityDay(instantAt(now))).at(-1)!}-01`) as Instant, timeTo: instantAt(now) },
      { quiet: true },
    ),
  )
  const charts = [
    { key: 'hours', title: ['24 小时用电', 'Energy, 24 hours'] as const, by: ['时', 'Hour'] as const, query: hours, from: 11, to: 16 },
    { key: 'days', title: ['30 天用电', 'Energy, 30 days'] as const, by: ['日', 'Day'] as const, query: days, from: 5, to: 10 },
    { key: 'months', title: ['12 个月用电', 'Energy, 12 months'] as const, by: ['月', 'Month'] as const, query: months, from: 2, to: 7 },
  ]
  return (
    <>
      {charts.map(({ key, title, by, query: { data, isPending }, from, to }) => (
        <div key={key}>
          <Chart
            title={title}
            figures={[LAMP_ENERGY.wh]}
            label={['电量', 'Energy']}
            kind="line"
            by={by}
            height={180}
            waiting={isPending}
            empty={['还没有电表读数', 'No meter readings yet']}
            categories={(data?.points ?? []).map(({ at }) => cityTime(at).slice(0, 16))}
            ticks={(data?.points ?? []).map(({ at }) => cityTime(at).slice(from, to))}
            series={[
              { name: ['用电', 'Used'], values: (data?.points ?? []).map(({ wh }) => wh), filled: true },
              { name: ['基准', 'Baseline'], values: (data?.points ?? []).map(({ baselineWh }) => baselineWh), beside: 'dashed' },
            ]}
            written={(wh) => `${kwh(wh)} kWh`}
          />
          {data && (
            <p className="faint">
              {say([
                `合计 ${kwh(data.totalWh)} 度，节能率 ${percent(data.savedRate)}，缺 ${data.missingHours} 小时读数`,
                `${kwh(data.totalWh)} kWh in total, ${percent(data.savedRate)} saved, ${data.missingHours} ${plural(data.missingHours, 'hour')} without readings`,
              ])}
            </p>
          )}
        </div>
      ))}
    </>
  )
}

const MONTHS_OFFERED = 12
/** The consumption of each box in a month, to download. */
function Months() {
  const say = useText()
  const [months] = useState(() => monthsUntil(cityDay()))
  const [month, setMonth] = useState(months[0]!)
  if (!can(electricity.byBoxExport.needs)) return null
  return (
    <p className="lamp-months">
      <Select aria-label={say(['月份', 'Month'])} value={month} onChange={setMonth} options={months.map((one) => ({ value: one }))} />{' '}
      <ExportButton call={electricity.byBoxExport} criteria={{ month }} text={['导出各箱月用电', 'Export energy by box']} />
    </p>
  )
}
/** This month first. */
function monthsUntil(today: string): string[] {
  const [year, month] = today.split('-').map(Number) as [number, number]
  return Array.from({ length: MONTHS_OFFERED }, (_, ago) => new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 7))
}
