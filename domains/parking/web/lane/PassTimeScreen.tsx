import { Link } from 'react-router'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Plate } from '../../../../platform/web/value.tsx'
import { passTime, passTimeSearch } from '../../contract/passTime.ts'
import { findPark, GateName, GateSelect, ParkName } from '../api/names.tsx'
import { gateShown } from '../stay/StayScreen.tsx'
import '../parking.css'
import { Direction } from '../../contract/gate.ts'

const GATE: Text = ['出口通道', 'Exit lane']
const STAYS = '/operation/record/parking/parkingRecord'

/** How long cars that paid at an exit stood there until the barrier had let them through. */
export default function PassTimeScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['在出口付款的车辆从付款到驶过道闸的用时', 'Time from payment to passing the barrier, for cars that paid at an exit']}
      query={passTime.list}
      search={passTimeSearch}
      find={[
        { name: 'plateNo', label: ['车牌', 'Plate'] },
        findPark,
        { name: 'gateCode', label: GATE, control: <GateSelect direction={Direction.exit} />, shown: gateShown },
        'paidAt',
        'passedAt',
        'seconds',
      ]}
      columns={[
        {
          dataIndex: 'plateNo',
          render: (_, row) => (
            <Link to={`${STAYS}/${row.stayId}`}>{row.plateNo ? <Plate number={row.plateNo} still /> : say(['无牌车', 'No plate'])}</Link>
          ),
        },
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        { dataIndex: 'gateCode', title: say(GATE), render: (_, row) => <GateName code={row.gateCode} /> },
        'paidAt',
        'passedAt',
        'seconds',
        'orderNo',
      ]}
    />
  )
}
