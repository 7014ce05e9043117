import { useQuery } from '@tanstack/react-query'
import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { FilterTree } from '../../../platform/web/tree/FilterTree.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { useFrames } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Plate, State, Time } from '../../../platform/web/value.tsx'
import { LOADS } from '../contract/figures.ts'
import { Load, load, LoadEvent, type LoadGun, LoadMode, LoadWhy, type StationLoad } from '../contract/load.ts'
import { CHARGES, kw } from './figures.ts'
import { useStations } from './stations.tsx'
import './charging.css'
import './load.css'

type Station = Of<typeof StationLoad>
type Gun = Of<typeof LoadGun>
const RENEW_MS = 10_000
const SHOWN = 100

/** How much of its station's limit each gun has, and why. */
export default function LoadScreen() {
  const say = useText()
  const stations = useStations()
  const [address, setAddress] = useSearchParams()
  const stationId = address.get('stationId') ?? stations[0]?.stationId
  return (
    <div className="page charging-page">
      <PageHead
        purpose={[
          '把充电站的功率上限分给正在充电的充电枪：每把分到多少、原因是什么；任何时刻都不超过上限',
          'A station’s power limit shared among the connectors that are charging: how much each gets and why. The limit is never exceeded',
        ]}
      />
      <div className="charging-list">
        <FilterTree
          label={say(['充电站', 'Stations'])}
          filter={say(['搜索充电站', 'Find a station'])}
          chosen={stationId}
          onChoose={(chosen) => setAddress(chosen === undefined ? {} : { stationId: chosen })}
          nodes={stations.map((one) => ({ key: one.stationId, words: one.stationName }))}
        />
        {stationId === undefined ? <Nothing>{say(['还没有充电站', 'No stations yet'])}</Nothing> : <OfStation key={stationId} id={stationId} />}
      </div>
    </div>
  )
}

function OfStation({ id }: { id: string }) {
  const say = useText()
  const [setting, setSetting] = useState(false)
  const query = useQuery({ ...asks(load.query, { stationId: id }, { quiet: true }), refetchInterval: RENEW_MS })
  useFrames('charging.gun', () => void query.refetch())
  const [found] = query.data?.records ?? []
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  if (!query.data) return <Waiting lines={8} />
  if (!found) return <Nothing>{say(['没有这个充电站', 'There is no such station'])}</Nothing>
  return (
    <div className="load-station">
      <Head of={found} set={() => setSetting(true)} />
      {found.guns.length === 0 ? (
        <Nothing>{say(['这个站没有在用的桩', 'No piles are in use at this station'])}</Nothing>
      ) : (
        <Guns of={found.guns} limited={found.limitW !== null} />
      )}
      <Section title={['最近变化', 'Latest changes']}>
        {can(load.exportHistory.needs) && <ExportButton call={load.exportHistory} criteria={{ stationId: id }} />}
        <Changes id={id} />
      </Section>
      {setting && <Setting of={found} onClose={() => setSetting(false)} />}
    </div>
  )
}

function Head({ of, set }: { of: Station; set: () => void }) {
  const say = useText()
  const { limitW, heldW, powerW, settled, mode, fallbackW } = of
  const over = limitW !== null && heldW > limitW
  return (
    <>
      <div className="charging-tools">
        <h2>{of.stationName}</h2>
        {limitW === null ? (
          <span className="faint">{say(['未设上限，各充电枪按额定功率充电', 'No limit set: connectors charge at rated power'])}</span>
        ) : (
          <>
            <span>{say(LoadMode.entries[mode].slice(0, 2) as [string, string])}</span>
            <span className={`state ${over ? 'error' : settled ? 'success' : 'warning'}`}>
              {say(
                over
                  ? ['正在降到上限', 'Dropping to the limit']
                  : settled
                    ? ['已全部生效', 'All in effect']
                    : ['等待桩确认', 'Waiting for piles to confirm'],
              )}
            </span>
            <span className="faint">{say([`来车预留 ${kw(fallbackW)} kW`, `${kw(fallbackW)} kW reserved per arriving car`])}</span>
          </>
        )}
        <span className="push" />
        {can(load.export.needs) && <ExportButton call={load.export} criteria={{ stationId: of.stationId }} />}
        {can(load.save.needs) && (
          <Button type="primary" onClick={set}>
            {say(['设置负荷', 'Set the load'])}
          </Button>
        )}
      </div>
      <Tiles label={['负荷', 'Load']}>
        <Tile figure={LOADS.limitW} value={limitW === null ? null : kw(limitW)} unit={['kW', 'kW']} />
        <Tile figure={LOADS.heldW} value={kw(heldW)} unit={['kW', 'kW']} tone={over && 'error'} />
        <Tile figure={LOADS.leftW} value={limitW === null ? null : kw(Math.max(0, limitW - heldW))} unit={['kW', 'kW']} />
        <Tile figure={LOADS.powerW} value={kw(powerW)} unit={['kW', 'kW']} />
        <Tile figure={LOADS.charging} value={of.guns.filter((gun) => gun.orderNo !== null).length} />
        <Tile figure={LOADS.waiting} value={of.guns.filter((gun) => gun.why === LoadWhy.waits).length} />
      </Tiles>
    </>
  )
}

function Guns({ of, limited }: { of: readonly Gun[]; limited: boolean }) {
  const say = useText()
  const heads = [
    ['充电枪', 'Connector'],
    ['车辆 / 订单', 'Car / session'],
    ['配额与当前功率', 'Share and power'],
    ['配额', 'Share'],
    ['应得', 'Due'],
    ['计入', 'Counted'],
    ['原因', 'Reason'],
    ['优先级', 'Priority'],
  ] as const
  return (
    <div className="charging-table">
      <table className="lines load-guns">
        <thead>
          <tr>
            {heads.map((one) => (
              <th key={one[0]}>{say(one)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((gun) => (
            <tr key={gun.connectorId}>
              <td>
                <b>{gun.connectorName ?? gun.connectorId}</b>
                {!gun.online && (
                  <>
                    {' '}
                    <span className="state warning">{say(['离线', 'Offline'])}</span>
                  </>
                )}
              </td>
              <td>
                {gun.plateNo && <Plate number={gun.plateNo} />}{' '}
                {gun.orderNo ? <Link to={`${CHARGES}/${gun.orderNo}`}>{gun.orderNo}</Link> : <span className="faint">{NONE}</span>}
                {gun.since && (
                  <div className="faint">
                    <Time at={gun.since} />
                  </div>
                )}
              </td>
              <td>
                <Bar of={gun} />
              </td>
              <td className="right">
                {kw(gun.shareW)}
                {gun.askedW !== null && <div className="faint">→ {kw(gun.askedW)}</div>}
              </td>
              <td className="right">{limited ? kw(gun.wantW) : NONE}</td>
              <td className="right">{kw(gun.heldW)}</td>
              <td>
                <State dictionary={LoadWhy} value={gun.why} />
              </td>
              <td className="right">{gun.loadPriority}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What counts of its plate, and what it draws of that. */
function Bar({ of: { ratedW, heldW, powerW } }: { of: Gun }) {
  const say = useText()
  const words = say([
    `计入 ${kw(heldW)} / 额定 ${kw(ratedW)} kW，当前 ${kw(powerW ?? 0)} kW`,
    `${kw(heldW)} of rated ${kw(ratedW)} kW counted, ${kw(powerW ?? 0)} kW now`,
  ])
  const part = (w: number) => `${Math.min(100, (w / ratedW) * 100)}%`
  return (
    <div className="load-bar" role="img" aria-label={words} title={words}>
      <i style={{ width: part(heldW) }} />
      <b style={{ width: part(powerW ?? 0) }} />
    </div>
  )
}

function Changes({ id }: { id: string }) {
  const say = useText()
  const query = useQuery({ ...asks(load.history, { stationId: id, limit: SHOWN }, { quiet: true }), refetchInterval: RENEW_MS })
  const rows = query.data?.records
  if (!rows) return null
  if (rows.length === 0) return <p className="faint">{say(['还没有变化', 'No changes yet'])}</p>
  const heads = [
    ['时间', 'Time'],
    ['变化', 'Change'],
    ['充电枪', 'Connector'],
    ['原 → 新', 'From → to'],
    ['原因', 'Reason'],
    ['计入合计 / 上限', 'Counted / limit'],
    ['操作人', 'By'],
  ] as const
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by itself, so the keyboard has to reach it
    <div className="charging-table load-changes" role="region" aria-label={say(['变化', 'Changes'])} tabIndex={0}>
      <table className="lines">
        <thead>
          <tr>
            {heads.map((one) => (
              <th key={one[0]}>{say(one)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.id}>
              <td>
                <Time at={one.at} />
              </td>
              <td>
                <State dictionary={LoadEvent} value={one.event} />
              </td>
              <td>{one.connectorId ?? NONE}</td>
              <td className="right">
                {kw(one.fromW)} → {kw(one.toW)} kW
              </td>
              <td>{one.why === null ? NONE : say(LoadWhy.entries[one.why].slice(0, 2) as [string, string])}</td>
              <td className="right">
                {kw(one.heldW)} / {kw(one.limitW)} kW
              </td>
              <td>{one.byName}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Setting({ of, onClose }: { of: Station; onClose: () => void }) {
  const { stationId, stationName, limitW, mode, fallbackW, zeroModels, version } = of
  const least = kw(of.leastLimitW)
  return (
    <FormDialog
      title={[`设置负荷 · ${stationName}`, `Load · ${stationName}`]}
      entity={Load}
      mode="edit"
      value={{ stationId, limitW, mode, fallbackW, zeroModels }}
      also={{ stationId, version: version ?? 0 }}
      save={load.save}
      changes={[load.query, load.history]}
      done={['已保存，正在下发到各桩', 'Saved; sending to the piles']}
      fields={[
        {
          name: 'limitW',
          label: ['功率上限（kW）', 'Limit (kW)'],
          optional: true,
          control: <Kilowatts />,
          per: WATTS,
          help: [`留空为不限；按现在的预留最低 ${least} kW`, `Leave it empty for no limit; at least ${least} kW with what is kept now`],
        },
        'mode',
        {
          name: 'fallbackW',
          label: ['来车预留功率（kW）', 'Reserve per arriving car (kW)'],
          control: <Kilowatts />,
          per: WATTS,
          help: [
            '每把充电枪在未分配前、离线时可用的功率；直流不低于 5 kW，交流不低于每相 6 A',
            'Power a connector may use before it gets a share and while offline; at least 5 kW for DC and 6 A per phase for AC',
          ],
        },
        {
          name: 'zeroModels',
          optional: true,
          control: <Models />,
          help: ['只填已验证可降到 0 再恢复的型号', 'Only models proven to drop to 0 and resume'],
        },
      ]}
      onClose={onClose}
    />
  )
}

/** Watts are kept, kilowatts are typed. */
const WATTS = 1_000
function Kilowatts({ value, onChange, ...rest }: { id?: string; value?: number | null; onChange?: (value: number | null) => void }) {
  return (
    <InputNumber
      step={10}
      precision={1}
      style={{ width: '100%' }}
      value={value === null || value === undefined ? null : value / WATTS}
      onChange={(kilowatts) => onChange?.(kilowatts === null ? null : Math.round(kilowatts * WATTS))}
      {...rest}
    />
  )
}
function Models(props: { id?: string; value?: string[]; onChange?: (value: string[]) => void }) {
  return <Select mode="tags" open={false} suffixIcon={null} {...props} />
}
