import {
  AccountBookOutlined,
  AlertOutlined,
  AppstoreOutlined,
  BankOutlined,
  BulbOutlined,
  CarOutlined,
  ControlOutlined,
  DashboardOutlined,
  EnvironmentOutlined,
  GiftOutlined,
  LaptopOutlined,
  PayCircleOutlined,
  SettingOutlined,
  TeamOutlined,
  ThunderboltOutlined,
  ToolOutlined,
} from '@ant-design/icons'

/** The icons a menu entry may name. An unknown one is drawn as a plain square, never fetched from anywhere. */
const icons = {
  account: AccountBookOutlined,
  activity: GiftOutlined,
  alert: AlertOutlined,
  app: AppstoreOutlined,
  asset: BankOutlined,
  bank: BankOutlined,
  bulb: BulbOutlined,
  car: CarOutlined,
  charging: ThunderboltOutlined,
  control: ControlOutlined,
  dashboard: DashboardOutlined,
  device: LaptopOutlined,
  gift: GiftOutlined,
  lamp: BulbOutlined,
  map: EnvironmentOutlined,
  money: PayCircleOutlined,
  operation: ControlOutlined,
  parking: CarOutlined,
  pay: PayCircleOutlined,
  setting: SettingOutlined,
  system: SettingOutlined,
  team: TeamOutlined,
  thunderbolt: ThunderboltOutlined,
  tool: ToolOutlined,
  user: TeamOutlined,
} as const

/** Areas whose entry names no icon, by the first part of their address. */
const areas: Record<string, keyof typeof icons> = {
  operation: 'dashboard',
  assetManage: 'asset',
  appManage: 'setting',
  activity: 'gift',
  userCenter: 'team',
  businessCenter: 'pay',
  charging: 'charging',
  device: 'device',
  inspection: 'tool',
  streetLamp: 'lamp',
  fleet: 'car',
}

export function Icon({ name, url }: { name: string | null; url: string }) {
  const One = icons[(name ?? '') as keyof typeof icons] ?? icons[areas[url.split('/')[1] ?? ''] ?? 'app']
  return <One />
}
