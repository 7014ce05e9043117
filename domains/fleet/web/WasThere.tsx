import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay, dayEnd, dayStart, NONE } from '../../../platform/web/format.ts'
import { TimeField } from '../../../platform/web/form/inputs.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Plate, Time } from '../../../platform/web/value.tsx'
import { NEAR_M } from '../../roadside/contract/section.ts'
import { type Area, fence, type Visit, WAS_THERE_DAYS_MAX } from '../contract/fence.ts'
import { track } from '../contract/track.ts'
import { AreaPick, hasArea } from './AreaPick.tsx'

type Asked = Of<typeof fence.wasThere.input>
/** Asks which vehicles were in an area: of a fence, or drawn here. */
export function WasThere({ name, area, onClose }: { name?: string; area?: Of<typeof Area>; onClose: () => void }) {
  const say = useText()
  const today = cityDay()
  const [drawn, setDrawn] = useState(area)
  const [span, setSpan] = useState<readonly [Instant, Instant]>([dayStart(today) as Instant, dayEnd(today) as Instant])
  const [asked, setAsked] = useState<Asked>()
  const [zh, en] = name ? [`谁去过 · ${name}`, `Who was there · ${name}`] : ['区域查车', 'Vehicles in this area']
  return (
    <Drawer open size="large" title={say([zh, en])} onClose={onClose}>
      <div className="area-pick">
        <AreaPick value={drawn} onChange={setDrawn} />
        <div className="fleet-tools">
          <TimeField
            value={span[0]}
            future={false}
            allowClear={false}
            aria-label={say(['从', 'From'])}
            onChange={(from) => from && setSpan([from as Instant, span[1]])}
          />
          <TimeField value={span[1]} allowClear={false} aria-label={say(['到', 'To'])} onChange={(to) => to && setSpan([span[0], to as Instant])} />
          <Button
            type="primary"
            disabled={!hasArea(drawn) || span[0] >= span[1]}
            onClick={() => hasArea(drawn) && setAsked({ area: drawn, timeFrom: span[0], timeTo: span[1] })}
          >
            {say(['查询', 'Search'])}
          </Button>
        </div>
        <p className="faint">
          {say([
            `按轨迹查，与派车无关；最长 ${WAS_THERE_DAYS_MAX} 天。路段为驶入处 ${NEAR_M} 米内「路段管理」中最近的一条`,
            `From GPS tracks, whether or not the vehicle was booked; ${WAS_THERE_DAYS_MAX} days at most. The section is the nearest of “Road sections” within ${NEAR_M} m of where it entered`,
          ])}
        </p>
        {asked && <Visits asked={asked} />}
      </div>
    </Drawer>
  )
}

function Visits({ asked }: { asked: Asked }) {
  const say = useText()
  const { data, isError, error, refetch } = useQuery(asks(fence.wasThere, asked, { quiet: true }))
  if (isError) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting lines={4} />
  if (data.length === 0) return <Nothing>{say(['这段时间没有车辆到过', 'No vehicle was there in this time'])}</Nothing>
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['车辆', 'Vehicle'])}</th>
          <th>{say(['部门', 'Department'])}</th>
          <th>{say(['驶入', 'Entered'])}</th>
          <th>{say(['驶出', 'Left'])}</th>
          <th>{say(['最近路段', 'Nearest section'])}</th>
          <th>{say(['轨迹', 'Track'])}</th>
        </tr>
      </thead>
      <tbody>
        {data.map((one) => (
          <tr key={`${one.vehicleId} ${one.entered}`}>
            <td>
              <Plate number={one.vehicleNo} color={one.plateColor} />
            </td>
            <td>{one.dept}</td>
            <td>
              <Time at={one.entered} />
            </td>
            <td>{one.left ? <Time at={one.left} /> : say(['未见驶出', 'Not seen leaving'])}</td>
            <td>{one.sectionName ? <Section name={one.sectionName} metres={one.sectionM ?? 0} /> : NONE}</td>
            <td>{can(track.query.needs) && <TrackLink of={one} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
function Section({ name, metres }: { name: string; metres: number }) {
  const say = useText()
  return (
    <>
      {name} <span className="faint">{say([`约 ${metres} 米`, `about ${metres} m`])}</span>
    </>
  )
}
function TrackLink({ of }: { of: Of<typeof Visit> }) {
  const say = useText()
  return <Link to={`/car/trajectory?vehicleId=${of.vehicleId}&day=${cityDay(of.entered)}`}>{say(['轨迹', 'Track'])}</Link>
}
