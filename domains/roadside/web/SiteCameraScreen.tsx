import { useState } from 'react'
import { DeviceType } from '../../device/contract/device.ts'
import { Devices } from '../../device/web/api/Devices.tsx'
import { highVideo } from '../contract/highVideo.ts'
import { Live } from './Live.tsx'

/** The cameras that look over the parks, with their live pictures. */
export default function SiteCameraScreen() {
  const [watched, setWatched] = useState<{ deviceNo: string; name: string }>()
  return (
    <>
      <Devices
        purpose={['现场相机与球机：是否在线，点击「画面」查看实时情况', 'Cameras and domes on site: whether they are online; click Live to watch']}
        types={[DeviceType.camera, DeviceType.dome]}
        actions={(row) => [
          {
            text: ['画面', 'Live'],
            needs: highVideo.playPost.needs,
            run: () => setWatched(row),
            not: !row.online && ['相机离线', 'Camera offline'],
          },
        ]}
      />
      {watched && <Live deviceNo={watched.deviceNo} name={watched.name} onClose={() => setWatched(undefined)} />}
    </>
  )
}
