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

export function Icon({ name }: { name: string | null }) {
  const One = icons[(name ?? '') as keyof typeof icons] ?? AppstoreOutlined
  return <One />
}
