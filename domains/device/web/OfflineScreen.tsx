import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { logSheet } from '../contract/logSheet.ts'
import { message, offlineSearch } from '../contract/message.ts'
import { DEVICE_TOPIC } from '../contract/device.ts'
import { findPark, parkColumn } from './places.tsx'

/** How often and how long devices were silent; one without an end is silent still. */
export default function OfflineScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['设备每次离线的起止与原因，没有恢复时间的仍在离线', 'When and why devices were offline; those without an end time are still offline']}
      query={message.offline}
      search={offlineSearch}
      exports={logSheet.offline}
      find={['deviceNo', findPark, 'fromAt']}
      columns={['deviceNo', parkColumn(say), 'fromAt', 'toAt', 'durationMin', 'reason']}
      live={DEVICE_TOPIC}
      empty={[
        '没有设备离线过。设备三个心跳周期无消息时记一条。',
        'No device has been offline. A device with no message for three heartbeats is recorded here.',
      ]}
    />
  )
}
