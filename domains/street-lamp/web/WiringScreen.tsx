import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Phase, Relay, wiring, wiringSearch } from '../contract/wiring.ts'
import { LAMP_TOPIC, WIRING_CHANGES } from './changes.ts'
import { BoxSelect } from './choices.tsx'
import type { Circuit } from './Lights.tsx'
import { WiringForm } from './WiringForm.tsx'

/** The same circuits as engineering data, with the diagram of their box. */
export default function WiringScreen() {
  const say = useText()
  const remove = useRemove(WIRING_CHANGES)
  const [asked, setAsked] = useState<{ of?: Circuit; diagram?: string }>()
  return (
    <>
      <ListScreen
        purpose={[
          '回路的工程数据：相别、电缆、互感器、额定功率与告警阈值',
          'Engineering data of circuits: phase, cable, CT, rated power and alarm thresholds',
        ]}
        query={wiring.query}
        search={wiringSearch}
        find={[{ name: 'boxCode', control: <BoxSelect />, label: ['配电箱', 'Box'] }, 'phase', 'wiringCode', 'name', 'regionCode']}
        columns={[
          'wiringCode',
          'name',
          'boxCode',
          'circuitNo',
          'phase',
          'cable',
          'ratioCt',
          'lampCount',
          'ratedPowerW',
          'lossPermille',
          'leakW',
          'remark',
          'updatedAt',
        ]}
        hidden={['remark', 'updatedAt']}
        roomy={['boxCode', 'ratioCt', 'lossPermille']}
        live={LAMP_TOPIC}
        add={{ call: wiring.add, open: () => setAsked({}) }}
        actions={(row) => [
          { text: ['一次图', 'One-line diagram'], run: () => setAsked({ diagram: row.boxCode }) },
          { text: Label.edit, needs: wiring.update.needs, run: () => setAsked({ of: row }) },
          deleting(remove, wiring.delete, { id: row.id, version: row.version }, `${row.wiringCode} ${row.name}`),
        ]}
      />
      {asked?.diagram ? (
        <Drawer
          open
          size="large"
          title={say([`${asked.diagram} 一次图`, `One-line diagram of ${asked.diagram}`])}
          onClose={() => setAsked(undefined)}
        >
          <Diagram boxCode={asked.diagram} />
        </Drawer>
      ) : (
        asked && <WiringForm {...(asked.of && { of: asked.of })} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

const ROW = 44
const WIDE = 560
/** Supply, meter and busbar of a box, and from it each circuit: phase, cable, relay as read back, lamps. */
function Diagram({ boxCode }: { boxCode: string }) {
  const say = useText()
  const { data } = useQuery(asks(wiring.status, { boxCodes: [boxCode] }, { quiet: true }))
  if (!data) return <Waiting lines={6} />
  const height = ROW * (data.length + 1)
  const name = say([
    `配电箱 ${boxCode} 的一次图，${data.length} 个回路`,
    `One-line diagram of box ${boxCode}, ${data.length} ${plural(data.length, 'circuit')}`,
  ])
  return (
    <svg viewBox={`0 0 ${WIDE} ${height}`} role="img" aria-label={name} style={{ width: '100%', maxWidth: 720 }} stroke="currentColor" fill="none">
      <path d={`M10 22 H60 M100 22 H150 M150 10 V${height - 10}`} strokeWidth={2} />
      <circle cx={80} cy={22} r={18} />
      <Mark x={80} y={26}>
        kWh
      </Mark>
      {data.map((one, n) => {
        const y = ROW * (n + 1) + 10
        return (
          <g key={one.id}>
            <path d={one.relay === Relay.on ? `M150 ${y} H260` : `M150 ${y} H190 M190 ${y} L216 ${y - 14} M222 ${y} H260`} strokeWidth={2} />
            <circle cx={270} cy={y} r={9} {...(one.relay === Relay.on && { fill: 'var(--ant-color-warning, gold)' })} />
            <text x={290} y={y - 3} fontSize={12} fill="currentColor" stroke="none">
              {one.circuitNo} · {say(Phase.entries[one.phase])} · {one.wiringCode} {one.name}
            </text>
            <text x={290} y={y + 13} fontSize={11} fill="currentColor" stroke="none" opacity={0.75}>
              {one.cable ?? ''} CT {one.ratioCt} · {one.ratedPowerW}W ·{' '}
              {say([`${one.lampCount} 盏`, `${one.lampCount} ${plural(one.lampCount, 'lamp')}`])} ·{' '}
              {say(one.relay === Relay.on ? ['合', 'on'] : one.relay === Relay.off ? ['断', 'off'] : ['未知', 'unknown'])}
              {one.stale && one.relay !== null && say(['（读数过期）', ' (stale)'])}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
const Mark = ({ x, y, children }: { x: number; y: number; children: string }) => (
  <text x={x} y={y} fontSize={11} textAnchor="middle" fill="currentColor" stroke="none">
    {children}
  </text>
)
