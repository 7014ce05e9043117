import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { asks } from '../../../platform/web/ask.ts'
import { percent } from '../../../platform/web/format.ts'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { State, Time } from '../../../platform/web/value.tsx'
import { LAMPS } from '../contract/figures.ts'
import { lamp } from '../contract/lamp.ts'
import { LightState, wiring, WiringMode, wiringSearch } from '../contract/wiring.ts'
import { AlarmList } from './AlarmList.tsx'
import { LAMP_TOPIC } from './changes.ts'
import { BoxSelect } from './choices.tsx'
import { kwh } from './figures.ts'
import { LampList } from './LampList.tsx'
import { Alarms, type Circuit, ReadState, WantedState } from './Lights.tsx'
import { SwitchDialog } from './Switch.tsx'
import type { Turn } from './switchTitle.ts'
import { WiringForm } from './WiringForm.tsx'

type Asked = { what: 'new' } | { what: 'edit'; of: Circuit } | { what: Turn; of: readonly Circuit[] }
const RENEW_MS = 60_000

/** The circuits in service: lit or not, by which program, and what is wrong. The alarms are a list of their own beside them. */
export default function LampScreen() {
  const go = useNavigate()
  const [shown, setShown] = useState<Shown>('circuits')
  const show = (what: Shown, find = '') => {
    // The search of one list means nothing to the other.
    void go(`/streetLamp/manage${find}`, { replace: true })
    setShown(what)
  }
  return (
    <>
      {can(wiring.query.needs) && <Figures />}
      <Which shown={shown} onShow={show} />
      {shown === 'circuits' ? (
        <Circuits onLamps={({ wiringCode }) => show('lamps', `?${new URLSearchParams({ wiringCode })}`)} />
      ) : shown === 'lamps' ? (
        <LampList />
      ) : (
        <AlarmList />
      )}
    </>
  )
}
type Shown = 'circuits' | 'lamps' | 'alarms'
function Which({ shown, onShow }: { shown: Shown; onShow: (what: Shown) => void }) {
  const say = useText()
  const options = [
    { value: 'circuits' as const, label: say(['回路', 'Circuits']) },
    { value: 'lamps' as const, label: say(['单灯', 'Lamps']) },
    { value: 'alarms' as const, label: say(['告警', 'Alarms']) },
  ]
  return (
    <div className="page">
      <Segmented value={shown} onChange={onShow} options={options} aria-label={say(['看什么', 'View'])} />
    </div>
  )
}
function Circuits({ onLamps }: { onLamps: (of: Circuit) => void }) {
  const say = useText()
  const [asked, setAsked] = useState<Asked>()
  return (
    <>
      <ListScreen
        purpose={[
          '在用回路的亮灯状态、模式、程序与告警，需要时开关与调光',
          'Light state, mode, program and alarms of circuits in service; switch and dim as needed',
        ]}
        query={wiring.query}
        search={wiringSearch}
        find={[{ name: 'boxCode', control: <BoxSelect />, label: ['配电箱', 'Box'] }, 'mode', 'wiringCode', 'name', 'regionCode', 'relay', 'online']}
        columns={columnsOf(say)}
        hidden={['nextEventAt', 'regionCode']}
        roomy={['boxName', 'mode', 'nextEventAt', 'p']}
        live={LAMP_TOPIC}
        ticks
        add={{ call: wiring.add, open: () => setAsked({ what: 'new' }) }}
        toolbar={({ ticked }) => <Turns ticked={ticked} onTurn={(what) => setAsked({ what, of: ticked })} />}
        empty={['还没有回路：先新增配电箱，再新增它的回路', 'No circuits yet: add an electric box, then its circuits']}
        actions={(row) => [...actionsOf(row, setAsked), { text: ['单灯', 'Lamps'], needs: lamp.query.needs, run: () => onLamps(row) }]}
      />
      {asked && <Doing asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const actionsOf = (row: Circuit, ask: (asked: Asked) => void): RowAction[] => {
  const not = row.mode === WiringMode.tagged && ([`由${row.taggedName}挂牌维护`, `Tagged out by ${row.taggedName}`] as const)
  return [
    { text: ['开灯', 'Switch on'], needs: wiring.batchUpdate.needs, run: () => ask({ what: 'on', of: [row] }), not },
    { text: ['关灯', 'Switch off'], needs: wiring.batchUpdate.needs, run: () => ask({ what: 'off', of: [row] }), not },
    { text: ['调光', 'Dim'], needs: wiring.batchUpdate.needs, run: () => ask({ what: 'dim', of: [row] }), not },
    { text: Label.edit, needs: wiring.update.needs, run: () => ask({ what: 'edit', of: row }) },
  ]
}
const columnsOf = (say: Say): Column<Circuit>[] => [
  'wiringCode',
  'name',
  'boxName',
  { dataIndex: 'state', title: say(['状态', 'Status']), render: (_, row) => <State dictionary={LightState} value={row.state} /> },
  { dataIndex: 'alarms', title: say(['告警', 'Alarms']), render: (_, row) => <Alarms of={row} /> },
  'mode',
  { dataIndex: 'relay', title: say(['回读', 'Read back']), render: (_, row) => <ReadState of={row} /> },
  { dataIndex: 'relayWanted', title: say(['应有状态', 'Expected']), render: (_, row) => <WantedState of={row} /> },
  { dataIndex: 'p', title: say(['功率', 'Power']), align: 'right', render: (_, { p }) => (p === null ? '--' : `${Math.round(p)}W`) },
  { dataIndex: 'lampsLit', title: say(['亮灯', 'Lit']), align: 'right', render: (_, row) => `${row.lampsLit ?? '--'}/${row.lampCount}` },
  { dataIndex: 'nextEventAt', render: (_, row) => <Time at={row.nextEventAt} /> },
  'regionCode',
]

function Figures() {
  const say = useText()
  const { data } = useQuery({ ...asks(wiring.summary, {}, { quiet: true }), refetchInterval: RENEW_MS })
  if (!data) return null
  return (
    <div className="page">
      <Tiles label={['路灯概况', 'Lamp overview']}>
        <Tile figure={LAMPS.litPermille} value={percent(data.litPermille)}>
          <span className="faint">
            {say([
              `${data.circuits} 回路 ${data.lamps} 盏`,
              `${data.circuits} ${plural(data.circuits, 'circuit')}, ${data.lamps} ${plural(data.lamps, 'lamp')}`,
            ])}
          </span>
        </Tile>
        <Tile figure={LAMPS.onlinePermille} value={percent(data.onlinePermille)}>
          <span className="faint">
            {say([`${data.boxesOnline} / ${data.boxes} 箱`, `${data.boxesOnline} of ${data.boxes} ${plural(data.boxes, 'box', 'boxes')}`])}
          </span>
        </Tile>
        <Tile figure={LAMPS.openAlarms} value={data.openAlarms} tone={data.openAlarms > 0 && 'error'} />
        <Tile figure={LAMPS.lastNightWh} value={data.lastNightWh === null ? null : kwh(data.lastNightWh)} unit={['度', 'kWh']} to="/streetLamp/gis" />
        <Tile figure={LAMPS.savedRate} value={percent(data.savedRate)}>
          <span className="faint">{say(['较日落至日出全亮', 'vs. full output from sunset to sunrise'])}</span>
        </Tile>
      </Tiles>
    </div>
  )
}

export function Turns({ ticked, onTurn }: { ticked: readonly Circuit[]; onTurn: (what: Turn) => void }) {
  const say = useText()
  if (!can(wiring.batchUpdate.needs)) return null
  return (
    <>
      {(['on', 'off', 'dim'] as const).map((what) => (
        <Button key={what} disabled={ticked.length === 0} onClick={() => onTurn(what)}>
          {say(
            what === 'on' ? ['批量开灯', 'Switch on selected'] : what === 'off' ? ['批量关灯', 'Switch off selected'] : ['批量调光', 'Dim selected'],
          )}
        </Button>
      ))}
    </>
  )
}

function Doing({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  if (asked.what === 'new') return <WiringForm onClose={onClose} />
  if (asked.what === 'edit') return <WiringForm of={asked.of} onClose={onClose} />
  return <SwitchDialog turn={asked.what} of={asked.of} onClose={onClose} />
}
