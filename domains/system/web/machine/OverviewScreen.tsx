import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Chart } from '../../../../platform/web/draw/Chart.tsx'
import { listOf } from '../../../../platform/web/draw/Explain.tsx'
import { count } from '../../../../platform/web/format.ts'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { Panel } from '../../../../platform/web/draw/Panel.tsx'
import { can } from '../../../../platform/web/person.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import { Failed, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../../platform/web/draw/Tiles.tsx'
import { alarmRecord } from '../../contract/alarmRecord.ts'
import { CONSOLE_USE } from '../../contract/figures.ts'
import { log } from '../../contract/log.ts'
import { type Overview, overview } from '../../contract/overview.ts'
import { performance } from '../../contract/performance.ts'
import { AlarmLines } from '../alarm/AlarmLines.tsx'
import { bytes } from './figures.tsx'
import { Counts } from './PerformanceScreen.tsx'
import './servers.css'

const LOOK_AGAIN_MS = 60_000
type Summary = Of<typeof Overview>

/** The use of the console: people online, pages opened, changes made; and the health of the machines. */
export default function OverviewScreen() {
  const { data, isError, error, refetch } = useQuery({ ...asks(overview.applicationOverview, {}, { quiet: true }), refetchInterval: LOOK_AGAIN_MS })
  return (
    <div className="page">
      <PageHead purpose={['平台今日的使用情况、近 14 天的趋势与服务器状态', 'Platform use today, its last 14 days, and the status of servers']} />
      {isError && !data ? <Failed error={error as Refusal} retry={() => void refetch()} /> : !data ? <Waiting lines={4} /> : <Figures of={data} />}
      {can(performance.queryCurrentNumInfo.needs) && <Counts />}
      {data && (
        <div className="overview-parts">
          <Days of={data.days} />
          <Opened of={data.opened} />
          <Busiest of={data.busiest} />
          {can(alarmRecord.pageQuery.needs) && (
            <Panel title={['最近的告警', 'Latest alarms']} to="/appManage/server/alarmRecord">
              <AlarmLines />
            </Panel>
          )}
        </div>
      )}
    </div>
  )
}

function Figures({ of }: { of: Summary }) {
  const say = useText()
  const today = of.days.at(-1)
  const people = today?.people ?? 0
  const refused = today?.refused ?? 0
  return (
    <Tiles label={['平台今日概况', 'Platform today']}>
      <Tile figure={CONSOLE_USE.online} value={of.online}>
        {say([`共 ${of.people} 人，${of.locked} 人锁定`, `of ${of.people} ${plural(of.people, 'user')}, ${of.locked} locked`])}
      </Tile>
      <Tile figure={CONSOLE_USE.signIns} value={today?.signIns ?? 0}>
        {say([`今日 ${people} 人`, `${people} ${plural(people, 'person', 'people')} today`])}
      </Tile>
      <Tile figure={CONSOLE_USE.refused} value={refused} tone={refused > REFUSED_MANY && 'warning'}>
        {say(TODAY)}
      </Tile>
      <Tile figure={CONSOLE_USE.operations} value={today?.operations ?? 0}>
        {say(TODAY)}
      </Tile>
      <Tile figure={CONSOLE_USE.files} value={of.files}>
        {bytes(of.fileBytes)}
      </Tile>
    </Tiles>
  )
}
const TODAY = ['今日', 'Today'] as const
/** Beyond what mistyped passwords make up on a day. */
const REFUSED_MANY = 20

function Days({ of }: { of: Summary['days'] }) {
  const shown = useMemo(
    () => ({
      categories: of.map(({ day }) => day),
      ticks: of.map(({ day }) => day.slice(5)),
      series: [
        { name: CONSOLE_USE.operations.name, values: of.map(({ operations }) => operations) },
        { name: CONSOLE_USE.signIns.name, values: of.map(({ signIns }) => signIns) },
      ],
    }),
    [of],
  )
  const leads = (at: number, series: number) =>
    listOf(series === 0 ? CONSOLE_USE.operations : CONSOLE_USE.signIns, { from: of[at]!.day, to: of[at]!.day })
  const title = ['每日操作与登录', 'Operations and sign-ins per day'] as const
  return (
    <section className="panel part">
      <Chart
        kind="line"
        title={title}
        figures={[CONSOLE_USE.operations, CONSOLE_USE.signIns]}
        label={title}
        by={['日期', 'Day']}
        {...shown}
        leads={leads}
        height={220}
      />
    </section>
  )
}

function Opened({ of }: { of: Summary['opened'] }) {
  const say = useText()
  const most = Math.max(1, ...of.map(({ times }) => times))
  return (
    <Panel title={['常用菜单', 'Most used pages']}>
      {of.length === 0 && <Nothing>{say(['从菜单打开过的页面会显示在这里。', 'Pages opened from the menu appear here.'])}</Nothing>}
      <ul className="ranks">
        {of.map(({ name, nameEn, path, times }) => (
          <li key={path}>
            <Link to={path}>{say([name, nameEn])}</Link>
            <i style={{ inlineSize: `${(times / most) * 100}%` }} />
            <b>{count(times)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
function Busiest({ of }: { of: Summary['busiest'] }) {
  const most = Math.max(1, ...of.map(({ operations }) => operations))
  const lead = can(log.operationPage.needs)
  return (
    <Panel title={['操作最多的人', 'Most active people']} {...(lead && { to: '/appManage/system/operateLog' })}>
      {of.length === 0 && <Nothing />}
      <ul className="ranks">
        {of.map(({ name, operations }) => (
          <li key={name}>
            {lead ? <Link to={`/appManage/system/operateLog?authorName=${encodeURIComponent(name)}`}>{name}</Link> : <span>{name}</span>}
            <i style={{ inlineSize: `${(operations / most) * 100}%` }} />
            <b>{count(operations)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
