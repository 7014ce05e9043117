import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { DeviceType } from '../../device/contract/device.ts'
import { Devices } from '../../device/web/api/Devices.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { berth } from '../contract/berth.ts'

const STREET = [DeviceType.berthSensor, DeviceType.highPole, DeviceType.dome, DeviceType.videoPost, DeviceType.patrolCar, DeviceType.handheld]

/** Devices of the berths, and handhelds of the collectors. */
export default function RoadDeviceScreen() {
  const say = useText()
  const go = useNavigate()
  const log = (deviceNo: string) => void go(`/assetManage/roadParking/bindLog?deviceNo=${encodeURIComponent(deviceNo)}`)
  return (
    <Devices
      purpose={[
        '地磁、高位视频、视频桩、球机、巡检车与 PDA：登记、投用与在线状态',
        'Sensors, high-pole cameras, video piles, domes, patrol cars and handhelds: registration, use and online state',
      ]}
      types={STREET}
      toolbar={
        can(berth.bindPost.needs) && (
          <Button onClick={() => void go('/assetManage/roadParking/berth?bindState=0')}>{say(['绑定泊位', 'Bind to berths'])}</Button>
        )
      }
      actions={({ deviceNo }) => [{ text: ['绑定记录', 'Bindings'], needs: berth.bindLog.needs, run: () => log(deviceNo) }]}
    />
  )
}
