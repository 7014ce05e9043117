import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import OnceSecret from '../../../../platform/web/form/OnceSecret.tsx'
import { can } from '../../../../platform/web/person.ts'
import { device } from '../../contract/device.ts'

const SIGNS_IN = [
  '设备以设备编号为用户名、以此密钥为密码连接。',
  'The device connects with its number as username and this secret as password.',
] as const
interface Props {
  deviceNo: string
  secret: string
  onClose: () => void
}
/** All that is entered in the device's own settings; the secret is shown this once. */
export default function DeviceSecret({ deviceNo, secret, onClose }: Props) {
  const { data } = useQuery({ ...asks(device.line, {}, { quiet: true }), enabled: can(device.line.needs) })
  const line = data && [
    { label: ['服务器地址', 'Server address'], value: data.host ?? location.hostname } as const,
    { label: ['端口', 'Port'], value: String(data.port) } as const,
  ]
  const beside = [
    { label: ['设备编号（用户名）', 'Device number (username)'], value: deviceNo } as const,
    ...(line ?? []),
    { label: ['上报主题', 'Topic it reports under'], value: `v1/devices/${deviceNo}/` } as const,
  ]
  return <OnceSecret secret={secret} use={SIGNS_IN} beside={beside} onClose={onClose} />
}
