import { Devices } from './api/Devices.tsx'

/** Devices of the parks: who they are, whether they are online, the secret that lets them in. */
export default function DeviceScreen() {
  return <Devices purpose={['相机、道闸与屏幕：身份、位置与在线状态', 'Cameras, barriers and signs: identity, location and online state']} />
}
