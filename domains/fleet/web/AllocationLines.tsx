import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { asks } from '../../../platform/web/ask.ts'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Plate, State, Time } from '../../../platform/web/value.tsx'
import { allocation, AllocationState } from '../contract/allocation.ts'

const SHOWN = 10
/** The latest allocations of a car or a driver. */
export function AllocationLines({ only }: { only: { vehicleId?: never | string; driverId?: never | string } }) {
  const say = useText()
  const { data } = useQuery(asks(allocation.query, { ...only, limit: SHOWN } as never, { quiet: true }))
  if (!data) return <Waiting lines={3} />
  if (data.records.length === 0) return <p className="faint">{say(['还没有派车', 'No allocations yet'])}</p>
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['派车单', 'Allocation'])}</th>
          <th>{say(['车辆', 'Vehicle'])}</th>
          <th>{say(['驾驶员', 'Driver'])}</th>
          <th>{say(['计划', 'Planned'])}</th>
          <th>{say(['状态', 'Status'])}</th>
        </tr>
      </thead>
      <tbody>
        {data.records.map((one) => (
          <tr key={one.id}>
            <td>
              <Link to={`/car/distribution/${one.id}`}>{one.allocationNo}</Link>
            </td>
            <td>
              <Plate number={one.vehicleNo} color={one.plateColor} />
            </td>
            <td>{one.driverName}</td>
            <td>
              <Time at={one.planFrom} /> – <Time at={one.planTo} />
            </td>
            <td>
              <State dictionary={AllocationState} value={one.state} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
