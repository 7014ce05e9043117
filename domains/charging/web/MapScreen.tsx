import { plural } from '../../../platform/contract/plural.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import gcoord from 'gcoord'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of, Tone } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { ConnectorStatus } from '../contract/connector.ts'
import { faultName } from '../contract/fault.ts'
import { map, Place, PlaceState } from '../contract/map.ts'
import { FAULTS, kwh, money } from './figures.ts'
import { GraveDanger } from './stations.tsx'
import './charging.css'

type Row = Of<typeof Place>
const RENEW_MS = 10_000
const TONES: Record<number, Tone> = { 1: 'success', 2: 'warning', 3: 'error', 4: 'error', 5: 'default' }

/** Where one can charge now: what is free, what it costs, what is ill. */
export default function MapScreen() {
  const say = useText()
  const [keyword, setKeyword] = useState('')
  const [free, setFree] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const query = useQuery({
    ...asks(map.queryList, { ...(keyword && { keyword }), ...(free && { free }) }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEW_MS,
  })
  const spots = useQuery({ ...asks(map.queryMap, {}, { quiet: true }), refetchInterval: RENEW_MS })
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const places = query.data ?? []
  const shown = new Set(places.map(({ stationId }) => stationId))
  const points = (spots.data ?? []).flatMap(({ stationId, name, gcjLng, gcjLat, state, free: room, total }): MapPoint[] => {
    if (!stationId || !shown.has(stationId)) return []
    const [lng, lat] = gcoord.transform([gcjLng, gcjLat] as [number, number], gcoord.GCJ02, gcoord.WGS84)
    return [{ id: stationId, name: `${name} ${room}/${total}`, lng, lat, tone: TONES[state] }]
  })
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '充电站的位置、空闲充电枪与当前价格；点击充电站查看充电枪与故障',
          'Where the stations are, their free connectors and current prices; choose a station to see its connectors and faults',
        ]}
      />
      <div className="charging-tools">
        <Input.Search allowClear style={{ width: 240 }} placeholder={say(['站名或地址', 'Name or address'])} onSearch={setKeyword} />
        <Checkbox checked={free} onChange={(event) => setFree(event.target.checked)}>
          {say(['只看有空闲', 'Available only'])}
        </Checkbox>
      </div>
      <div className="charging-map">
        {/* It looks at all places once, when it is made. */}
        {query.isPending || spots.isPending ? (
          <Waiting lines={6} />
        ) : (
          <PlaceMap label={['充电地图', 'Charging map']} points={points} chosen={chosen} height="100%" onOpen={setChosen} />
        )}
        <aside aria-label={say(['充电站', 'Stations'])}>
          {chosen ? (
            <Details stationId={chosen} onClose={() => setChosen(undefined)} />
          ) : (
            <Places of={places} waits={query.isPending} onOpen={setChosen} />
          )}
        </aside>
      </div>
    </div>
  )
}

const priceOf = ({ price }: Row) => (price ? ((price.elecPriceE4 + price.servicePriceE4) / 10_000).toFixed(4) : '--')
function Places({ of, waits, onOpen }: { of: readonly Row[]; waits: boolean; onOpen: (id: string) => void }) {
  const say = useText()
  if (waits) return <Waiting lines={6} />
  if (of.length === 0) return <Nothing>{say(['没有符合条件的充电站', 'No matching stations'])}</Nothing>
  return (
    <ul>
      {of.map((one) => (
        <li key={one.stationId}>
          <button type="button" onClick={() => onOpen(one.stationId)}>
            <b>{one.stationName}</b> <State dictionary={PlaceState} value={one.state} />
            <span className="faint">
              {say([
                `快 ${one.fastFree}/${one.fastTotal} · 慢 ${one.slowFree}/${one.slowTotal}`,
                `fast ${one.fastFree}/${one.fastTotal} · slow ${one.slowFree}/${one.slowTotal}`,
              ])}{' '}
              · ¥{priceOf(one)}
              {say(['/度', '/kWh'])}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Details({ stationId, onClose }: { stationId: string; onClose: () => void }) {
  const say = useText()
  const { data, isError, error, refetch } = useQuery({ ...asks(map.queryMapDetails, { stationId }, { quiet: true }), refetchInterval: RENEW_MS })
  return (
    <section>
      <Button type="text" size="small" onClick={onClose}>
        ← {say(['全部充电站', 'All stations'])}
      </Button>
      {isError && !data ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={6} />
      ) : (
        <>
          <h3>
            {data.stationName} <State dictionary={PlaceState} value={data.state} />
          </h3>
          <PlaceFacts of={data} />
          <Section title={['充电枪', 'Connectors']}>
            <Guns of={data.guns} stationId={stationId} />
          </Section>
          {data.faults.length > 0 && (
            <Section title={['未恢复故障', 'Open faults']}>
              <OpenFaults of={data.faults} />
            </Section>
          )}
        </>
      )}
    </section>
  )
}

type Story = Of<typeof map.queryMapDetails.reply>
function PlaceFacts({ of }: { of: Story }) {
  const say = useText()
  return (
    <Facts
      entity={Place}
      of={of}
      show={[
        'address',
        ...(of.dangerNo ? [{ label: ['重大隐患', 'Critical hazard'], value: <GraveDanger dangerNo={of.dangerNo} /> } as const] : []),
        {
          label: ['当前价格', 'Price now'],
          value: of.price ? say([`¥${priceOf(of)}/度，至 ${of.price.until}`, `¥${priceOf(of)} per kWh until ${of.price.until}`]) : '--',
        },
        {
          label: ['今日', 'Today'],
          value: say([
            `${of.orders} 单 · ${kwh(of.billedWh)} 度 · ¥${money(of.receivableFen)}`,
            `${of.orders} ${plural(of.orders, 'session')} · ${kwh(of.billedWh)} kWh · ¥${money(of.receivableFen)}`,
          ]),
        },
      ]}
    />
  )
}

function Guns({ of, stationId }: { of: Story['guns']; stationId: string }) {
  return (
    <table className="lines">
      <tbody>
        {of.map((one) => (
          <tr key={one.connectorId}>
            <td>
              <Link to={`/recharge/chargingRealTimeMonitoring?stationId=${stationId}&gun=${one.connectorId}`}>
                {one.connectorName ?? one.connectorId}
              </Link>
            </td>
            <td>
              <State dictionary={ConnectorStatus} value={one.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function OpenFaults({ of }: { of: Story['faults'] }) {
  const say = useText()
  return (
    <table className="lines">
      <tbody>
        {of.map((one) => (
          <tr key={one.faultNo}>
            <td>
              <Link to={listAt(FAULTS, { faultNo: one.faultNo })}>{one.faultNo}</Link>
            </td>
            <td>{one.connectorId}</td>
            <td>{say(faultName(one.code))}</td>
            <td>
              <Time at={one.startAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
