import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { message, offlineSearch } from '../contract/message.ts'
import { DEVICE_TOPIC } from './deviceDetail.tsx'

/** How often and how long devices were silent; one without an end is silent still. */
export default function OfflineScreen() {
  return (
    <ListScreen
      purpose={['设备每次离线的起止与原因，没有恢复时间的仍在离线', 'When and why devices were offline; without an end they still are']}
      query={message.offline}
      search={offlineSearch}
      find={['deviceNo', 'parkCode', 'fromAt']}
      columns={['deviceNo', 'parkCode', 'fromAt', 'toAt', 'durationMin', 'reason']}
      live={DEVICE_TOPIC}
    />
  )
}
