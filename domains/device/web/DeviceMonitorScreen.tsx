import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { device, DEVICE_TOPIC, DeviceUse, statusSearch } from '../contract/device.ts'
import { deviceDetail, Online } from './api/deviceDetail.tsx'
import { findPark, gateColumn, parkColumn } from './places.tsx'

/** Which devices are silent now; each tells what it last said and was told. */
export default function DeviceMonitorScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['设备当前是否在线，以及最近的消息与指令', 'Which devices are online now, and their latest messages and commands']}
      query={device.status}
      search={statusSearch}
      find={['deviceNo', findPark, 'online', 'type', 'useStatus']}
      sum={{
        figures: [
          { text: ['在线', 'online'], leads: { online: true } },
          { text: ['离线', 'offline'], leads: { online: false, useStatus: [DeviceUse.inUse] } },
          { text: ['故障', 'faulty'], leads: { useStatus: [DeviceUse.faulty] } },
        ],
      }}
      columns={[
        'deviceNo',
        'name',
        'type',
        parkColumn(say),
        gateColumn(say),
        { dataIndex: 'online', render: (_, row) => <Online of={row} /> },
        'since',
        'lastSeenAt',
        'useStatus',
        'firmware',
        'ip',
      ]}
      hidden={['firmware', 'ip']}
      roomy={['name']}
      live={DEVICE_TOPIC}
      detail={deviceDetail}
    />
  )
}
