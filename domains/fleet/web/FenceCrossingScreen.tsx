import { useNavigate } from 'react-router'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { cityDay } from '../../../platform/web/format.ts'
import { Plate } from '../../../platform/web/value.tsx'
import { Crossing, fence, fenceEventSearch } from '../contract/fence.ts'
import { track } from '../contract/track.ts'

/** Which vehicle came into or went out of which fence, and when. */
export default function FenceCrossingScreen() {
  const say = useText()
  const go = useNavigate()
  return (
    <ListScreen
      purpose={[
        '车辆进出围栏的时间和位置；补传的轨迹也会补记，但不告警',
        'When and where vehicles crossed fences; tracks told later are recorded too, without an alarm',
      ]}
      query={fence.events}
      search={fenceEventSearch}
      exports={fence.export}
      find={['vehicleNo', 'kind', 'at', 'fenceKind', 'live']}
      sum={{
        figures: [
          { text: ['驶入', 'entered'], leads: { kind: [Crossing.entered] } },
          { text: ['驶出', 'left'], leads: { kind: [Crossing.left] } },
        ],
      }}
      columns={[
        'at',
        { dataIndex: 'vehicleNo', render: (_, row) => <Plate number={row.vehicleNo} color={row.plateColor} /> },
        'kind',
        'fenceName',
        'fenceKind',
        {
          dataIndex: 'live',
          title: say(['上报', 'Reported']),
          render: (_, row) => (row.live ? say(['实时', 'Live']) : <span className="faint">{say(['补传', 'Later'])}</span>),
        },
        'dept',
        'lng',
        'lat',
        'createdAt',
      ]}
      hidden={['lng', 'lat', 'createdAt']}
      roomy={['dept']}
      actions={(row) => [
        {
          text: ['轨迹', 'Track'],
          needs: track.query.needs,
          run: () => void go(`/car/trajectory?vehicleId=${row.vehicleId}&day=${cityDay(row.at)}`),
        },
      ]}
      empty={['还没有车辆进出围栏', 'No vehicle has crossed a fence yet']}
    />
  )
}
