import { Link, useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { cityDay, NONE } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Plate, State, Time } from '../../../platform/web/value.tsx'
import { Flag, Motion, supervise, type Supervised, superviseSearch } from '../contract/supervise.ts'
import { alarmsIn, track } from '../contract/track.ts'
import { ViolationState } from '../contract/violation.ts'
import { km } from './parts.tsx'
import './fleet.css'

type Row = Of<typeof Supervised>
const TENTHS = 10
export const kmh = (speed: number | null) => (speed === null ? NONE : `${Math.round(speed / TENTHS)} km/h`)

/** The fleet now, and the flags that its supervisor should look at. */
export default function SuperviseScreen() {
  const say = useText()
  const go = useNavigate()
  return (
    <ListScreen
      purpose={[
        '车辆现在在哪、谁在开；未派车用车、超时未还、夜间用车与离线会标记',
        'Where vehicles are and who is driving; flags unallocated use, late returns, night driving and offline vehicles',
      ]}
      query={supervise.query}
      search={superviseSearch}
      exports={supervise.export}
      find={['vehicleNo', 'motion', 'flagged', 'dept', 'driverName', 'allocationNo']}
      sum={{
        figures: [
          { text: ['在线', 'online'], leads: { motion: [Motion.driving, Motion.standing] } },
          { text: ['行驶', 'driving'], leads: { motion: [Motion.driving] } },
          { text: ['离线', 'offline'], leads: { motion: [Motion.offline] } },
          { text: ['有标记', 'flagged'], leads: { flagged: true } },
        ],
      }}
      columns={[
        { dataIndex: 'vehicleNo', render: (_, row) => <Plate number={row.vehicleNo} color={row.plateColor} /> },
        'motion',
        { dataIndex: 'kinds', render: (_, row) => <Flags of={row} /> },
        { dataIndex: 'speed', title: say(['速度', 'Speed']), render: (_, row) => (row.motion === Motion.driving ? kmh(row.speed) : NONE) },
        'driverName',
        {
          dataIndex: 'allocationNo',
          render: (_, row) =>
            row.allocationId ? <Link to={`/car/distribution/${row.allocationId}`}>{row.allocationNo}</Link> : <span className="faint">{NONE}</span>,
        },
        'dest',
        { dataIndex: 'planTo', render: (_, row) => <Time at={row.planTo} /> },
        { dataIndex: 'dayM', title: say(['今日里程', 'Distance today']), render: (_, row) => (row.day === cityDay() ? km(row.dayM) : NONE) },
        { dataIndex: 'alarmBits', title: say(['报警', 'Alarms']), render: (_, row) => <Alarms bits={row.alarmBits} /> },
        {
          dataIndex: 'violations',
          render: (_, row) =>
            row.violations > 0 ? (
              <Link to={`/car/violation?vehicleNo=${encodeURIComponent(row.vehicleNo)}&state=${ViolationState.open}`}>{row.violations}</Link>
            ) : (
              <span className="faint">{NONE}</span>
            ),
        },
        'deviceTime',
        'dept',
        'heardAt',
        'deviceNo',
        'flaggedSince',
      ]}
      hidden={['violations', 'heardAt', 'deviceNo', 'flaggedSince', 'dest']}
      roomy={['dept', 'planTo', 'alarmBits']}
      actions={(row) => [
        {
          text: ['轨迹', 'Track'],
          needs: track.query.needs,
          run: () => void go(`/car/trajectory?vehicleId=${row.id}`),
          not: !row.deviceTime && (['终端还没有上报过位置', 'The terminal has not reported a position yet'] as const),
        },
      ]}
      empty={['还没有车辆；在「车辆档案」中登记车辆与终端号', 'No vehicles yet: add them with their terminals under “Vehicles”']}
    />
  )
}

function Flags({ of }: { of: Row }) {
  if (of.kinds.length === 0) return <span className="faint">{NONE}</span>
  return (
    <span className="fleet-flags">
      {of.kinds.map((kind) => (
        <State key={kind} dictionary={Flag} value={kind} />
      ))}
    </span>
  )
}
function Alarms({ bits }: { bits: number | null }) {
  const say = useText()
  const on = alarmsIn(bits)
  if (on.length === 0) return <span className="faint">{NONE}</span>
  return <span className="state error">{on.map((one) => say(one)).join(say(['、', ', ']))}</span>
}
