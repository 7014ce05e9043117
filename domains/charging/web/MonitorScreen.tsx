import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { time } from '../../../platform/web/format.ts'
import { useFrames } from '../../../platform/web/live.ts'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Duration, labelOf, Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { ConnectorStatus } from '../contract/connector.ts'
import { GUNS } from '../contract/figures.ts'
import { faultName } from '../contract/fault.ts'
import { LiveGun, monitor } from '../contract/monitor.ts'
import { isForNow } from './acts.ts'
import { CHARGES, FAULTS, kw, kwh } from './figures.ts'
import { PileTell, type Tell, TELLS } from './PileTell.tsx'
import { GraveDanger, StationSelect } from './stations.tsx'
import './charging.css'

type Gun = Of<typeof LiveGun>
/** Measurements come every half minute; between, the wall hears of changes by itself. */
const RENEW_MS = 10_000
const ORDER = [
  ConnectorStatus.faulty,
  ConnectorStatus.offline,
  ConnectorStatus.charging,
  ConnectorStatus.plugged,
  ConnectorStatus.reserved,
  ConnectorStatus.free,
] as const
/** They shrink, and stand below those that wait or charge. */
const IDLE: ReadonlySet<number> = new Set([ConnectorStatus.offline, ConnectorStatus.free])
const STATES = { 255: 'faulty', 0: 'offline', 3: 'charging', 2: 'plugged', 4: 'reserved', 1: 'free' } as const

/** Every gun as it is now: what charges, what stands, what is ill; readable from across the room. */
export default function MonitorScreen() {
  const say = useText()
  const [address, setAddress] = useSearchParams()
  const stationId = address.get('stationId') ?? undefined
  const status = address.get('status') === null ? undefined : Number(address.get('status'))
  const chosen = address.get('gun') ?? undefined
  const set = (name: string, value: string | undefined) =>
    setAddress((now) => {
      const next = new URLSearchParams(now)
      if (value === undefined) next.delete(name)
      else next.set(name, value)
      return next
    })
  const query = useQuery({ ...asks(monitor.queryConnectorinfoList, { ...(stationId && { stationId }) }, { quiet: true }), refetchInterval: RENEW_MS })
  useChanges(() => void query.refetch())
  const guns = query.data ?? []
  const stations = useMemo(
    () =>
      Map.groupBy(
        guns.filter((one) => status === undefined || one.status === status),
        (one) => one.stationId,
      ),
    [query.data, status],
  )
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '每把充电枪的实时状态；点击查看功率曲线、状态变化和订单',
          'The live state of every connector; choose one to see its power curve, state changes and session',
        ]}
      >
        <span className="push" />
        {query.data && (
          <span className="faint">
            {say(['截至', 'As of'])} {time(new Date(query.dataUpdatedAt)).slice(11)}
          </span>
        )}
      </PageHead>
      <div className="charging-tools">
        <StationSelect value={stationId} onChange={(value) => set('stationId', value)} />
      </div>
      <Statuses of={guns} stationId={stationId} />
      {!query.data ? (
        <Waiting lines={8} />
      ) : stations.size === 0 ? (
        <Nothing>{say(['没有符合条件的充电枪', 'No matching connectors'])}</Nothing>
      ) : (
        [...stations].map(([id, all]) => <Station key={id} guns={all} open={(gun) => set('gun', gun)} />)
      )}
      {chosen && <Story id={chosen} onClose={() => set('gun', undefined)} />}
    </div>
  )
}

/** How many there are of each status, the worst first; each leads to those alone. */
function Statuses({ of: guns, stationId }: { of: readonly Gun[]; stationId: string | undefined }) {
  const count = (of: number) => guns.filter((one) => one.status === of).length
  return (
    <Tiles label={['按状态', 'By status']}>
      <Tile figure={GUNS.total} value={guns.length} to="?" />
      {ORDER.map((of) => (
        <Tile
          key={of}
          figure={GUNS[STATES[of]]}
          value={count(of)}
          to={`?${new URLSearchParams({ ...(stationId && { stationId }), status: String(of) })}`}
          tone={of === ConnectorStatus.faulty && count(of) > 0 && 'error'}
        />
      ))}
    </Tiles>
  )
}

/** The guns of one place: those that wait or charge above the rest. */
function Station({ guns, open }: { guns: readonly Gun[]; open: (connectorId: string) => void }) {
  return (
    <section className="charging-wall">
      <h2>
        {guns[0]!.stationName} <span className="faint">{guns.length}</span>
      </h2>
      {[false, true].map((idle) => (
        <ul key={String(idle)} className={idle ? 'charging-idle' : undefined}>
          {guns
            .filter((one) => IDLE.has(one.status) === idle)
            .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
            .map((one) => (
              <li key={one.connectorId}>
                <Card of={one} open={() => open(one.connectorId)} />
              </li>
            ))}
        </ul>
      ))}
    </section>
  )
}

/** A gun said something else, or a charge moved. */
function useChanges(hear: () => void) {
  useFrames('charging.gun', hear)
  useFrames('charging.order', hear)
}

function Card({ of, open }: { of: Gun; open: () => void }) {
  const say = useText()
  const entry = ConnectorStatus.entries[of.status]
  return (
    <button type="button" className={`charging-gun ${STATES[of.status]}`} onClick={open}>
      <span className="name">{of.connectorName ?? of.connectorId}</span>
      <b>{say([entry[0], entry[1]])}</b>
      {of.orderNo ? (
        <>
          <span className="soc" style={{ '--soc': `${of.soc}%` } as never}>
            <span className="big">
              {kw(of.powerW)} <small>kW</small>
            </span>
            {of.soc !== null && (
              <>
                <i />
                {of.soc}%
              </>
            )}
          </span>
          <span>{of.plateNo ? <Plate number={of.plateNo} /> : <span className="faint">{say(['未知车辆', 'Unknown car'])}</span>}</span>
          <span className="faint">
            {kwh(of.energyWh)} {say(['度', 'kWh'])} · <Duration minutes={of.minutes ?? 0} /> · <Money fen={of.costFen} />
          </span>
        </>
      ) : (
        <span className="faint">
          <Trouble of={of} />
          {of.since ? (
            <>
              {say(['自', 'Since'])} <Time at={of.since} />
            </>
          ) : (
            '--'
          )}
        </span>
      )}
    </button>
  )
}

/** Why it is faulty. */
function Trouble({ of: { faultCode, dangerNo } }: { of: Gun }) {
  const say = useText()
  if (faultCode) return <>{say(faultName(faultCode))} </>
  return dangerNo && <>{say(['重大隐患停用', 'Stopped by a hazard'])} </>
}
/** And where it is seen to. */
const troubles = ({ faultId, faultCode, dangerNo }: Gun, say: Say) => [
  ...(faultId && faultCode
    ? [
        {
          label: ['未恢复故障', 'Open fault'] as const,
          value: (
            <Link to={`${FAULTS}/${faultId}`} className="state error">
              {say(faultName(faultCode))}
            </Link>
          ),
        },
      ]
    : []),
  ...(dangerNo ? [{ label: ['重大隐患', 'Critical hazard'] as const, value: <GraveDanger dangerNo={dangerNo} /> }] : []),
]

/** What somebody on duty does at a gun at once; the rest is told from its pile's page. */
function Acts({ of }: { of: Gun }) {
  const say = useText()
  const [tell, setTell] = useState<Tell>()
  const all = TELLS.filter(({ call }) => isForNow(of, call) && can(call.needs))
  return (
    <>
      {all.map((one) => (
        <Button key={one.call.id} onClick={() => setTell(one)}>
          {say(one.text)}
        </Button>
      ))}
      {tell && (
        <PileTell
          of={of.equipmentId}
          named={[of.stationName, of.connectorName ?? of.connectorId, of.plateNo].filter(Boolean).join(' ')}
          tell={tell}
          guns={[of.connectorId]}
          onClose={() => setTell(undefined)}
          onSecret={() => {}}
        />
      )}
    </>
  )
}
function Story({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery({
    ...asks(monitor.queryConnectorinfo, { connectorId: id }, { quiet: true }),
    refetchInterval: RENEW_MS,
  })
  const said = useQuery(asks(monitor.queryNotifyRecord, { connectorId: id }, { quiet: true }))
  return (
    <Drawer
      open
      size={640}
      title={
        <>
          {data?.connectorName ?? id} {data?.plateNo && <Plate number={data.plateNo} still />}
        </>
      }
      extra={data && <Acts of={data} />}
      onClose={onClose}
    >
      {isError && !data ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={8} />
      ) : (
        <>
          <GunFacts of={data} />
          <Section title={['最近 60 分钟功率', 'Power, last 60 minutes']}>
            <LastHour of={data.curve} at={dataUpdatedAt} />
          </Section>
          <Section title={['最近状态变化', 'Latest changes']}>
            <Lines of={data.changes} keyOf={(one) => `${one.at} ${one.status}`} columns={CHANGES} />
          </Section>
          <Section title={['通知记录', 'Message log']}>
            <Messages of={said.data} />
          </Section>
        </>
      )}
    </Drawer>
  )
}

type Told = Of<typeof monitor.queryConnectorinfo.reply>
function GunFacts({ of }: { of: Gun }) {
  const say = useText()
  return (
    <Facts
      entity={LiveGun}
      of={of}
      show={[
        'stationName',
        'status',
        ...troubles(of, say),
        'raw',
        'since',
        power('ratedW', of),
        power('powerW', of),
        'soc',
        'plateNo',
        'energyWh',
        'costFen',
        'minutes',
        { label: ['订单', 'Session'], value: of.orderNo ? <Link to={`${CHARGES}/${of.orderNo}`}>{of.orderNo}</Link> : '--' },
      ]}
    />
  )
}

function LastHour({ of, at: now }: { of: Told['curve']; at: number }) {
  return (
    <Chart
      kind="line"
      label={['kW', 'kW']}
      by={['时间', 'Time']}
      height={180}
      categories={of.map(({ at }) => time(at).slice(11))}
      moments={hourOf(of, now)}
      series={[{ name: ['功率', 'Power'], values: of.map(({ powerW }) => powerW), filled: true }]}
      written={(value) => kw(value)}
      empty={['最近一小时没有充电', 'No charging in the last hour']}
    />
  )
}

/** What its pile said and was told, word for word. */
function Messages({ of }: { of: Of<typeof monitor.queryNotifyRecord.reply> | undefined }) {
  const say = useText()
  return (
    <details>
      <summary className="faint">{say(['原始报文，供工程师排查', 'Raw messages, for engineers'])}</summary>
      <table className="lines">
        <tbody>
          {of?.slice(0, 50).map((one) => (
            <tr key={one.frameId}>
              <td>
                <Time at={one.at} />
              </td>
              <td>{one.protocol}</td>
              <td>
                <code>{one.action}</code>
              </td>
              <td className="charging-said">{one.summary}</td>
              <td>{one.result}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

const CHANGES: LineColumn<Told['changes'][number]>[] = [
  { name: ['时间', 'Time'], cell: (one) => <Time at={one.at} /> },
  { name: ['状态', 'Status'], cell: (one) => <State dictionary={ConnectorStatus} value={one.status} /> },
  {
    name: ['桩上报', 'Reported'],
    cell: (one) => (
      <>
        <code>{one.raw}</code> {one.errorCode}
      </>
    ),
  },
]
const HOUR_MS = 3_600_000
/** The hour that the curve is of. A browser's clock may be behind the server's: the newest point is in it all the same. */
function hourOf(curve: readonly { at: string }[], now: number) {
  const at = curve.map((point) => Date.parse(point.at))
  const to = Math.max(now, at.at(-1) ?? 0)
  return { at, from: Math.min(to - HOUR_MS, at[0] ?? to), to }
}

/** In kilowatts, as the cards and the curve write it. */
const power = (name: 'ratedW' | 'powerW', of: Gun) => ({
  label: labelOf(LiveGun.properties[name]),
  value: of[name] === null ? kw(null) : `${kw(of[name])} kW`,
})
