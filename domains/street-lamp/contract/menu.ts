import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { UNTAG } from './wiring.ts'

const circuits = ['street-lamp:circuit:view', 'street-lamp:box:view'] as const
const edit = { code: 'edit', name: ['新增、修改与挂牌', 'Add, change and tag out'], needs: 'street-lamp:circuit:edit' } as const
const lamps = { code: 'lamp', name: ['新增、修改与导入单灯', 'Add, change and import lamps'], needs: 'street-lamp:lamp:edit' } as const
const untag = { code: 'untag', name: ['代为摘牌', 'Remove another’s tag'], needs: UNTAG } as const
const turn = { code: 'switch', name: ['开关与调光', 'Switch and dim'], needs: 'street-lamp:circuit:switch' } as const
const handle = { code: 'handle', name: ['处理告警', 'Handle alarms'], needs: 'street-lamp:alarm:handle' } as const

/** The screens of the lamps; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen('/streetLamp/manage', 'LampScreen', ['路灯管理', 'Street lamp management'], [...circuits], [edit, turn, handle, lamps]),
  screen(
    '/streetLamp/config',
    'LampTimerScreen',
    ['照明定时', 'Lighting programs'],
    ['street-lamp:timer:view', ...circuits],
    [{ code: 'edit', name: ['新增与修改定时', 'Add and change programs'], needs: 'street-lamp:timer:edit' }, turn],
  ),
  screen(
    '/streetLamp/electricBox',
    'LampBoxScreen',
    ['配电箱管理', 'Electric boxes'],
    ['street-lamp:box:view'],
    [{ code: 'edit', name: ['新增与修改', 'Add and change'], needs: 'street-lamp:box:edit' }],
  ),
  screen('/streetLamp/gis', 'LampMapScreen', ['路灯地图', 'Street lamp map'], [...circuits], [turn]),
  screen(
    '/streetLamp/remoteElectricControl',
    'LampControlScreen',
    ['远程电控', 'Remote switching'],
    [...circuits, 'street-lamp:timer:view'],
    [turn, edit, untag],
  ),
  screen('/streetLamp/smartLine', 'LampLineScreen', ['回路档案', 'Circuits'], [...circuits], [edit]),
]
