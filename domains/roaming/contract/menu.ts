import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

/** The screens of partner platforms and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/recharge/chargingRoaming',
    'RoamingScreen',
    ['跨平台充电', 'Roaming sessions'],
    ['charging:order:view', 'charging:platform:view'],
    [
      { code: 'edit', name: ['停止跨平台充电', 'Stop roaming sessions'], needs: 'charging:order:edit' },
      { code: 'finance', name: ['处理账单争议', 'Settle disputed bills'], needs: 'charging:order:finance' },
    ],
  ),
  screen(
    '/recharge/chargingPlatform',
    'PlatformScreen',
    ['充电平台', 'Charging platforms'],
    ['charging:platform:view', 'charging:station:view'],
    [
      { code: 'edit', name: ['编辑平台', 'Edit platforms'], needs: 'charging:platform:edit' },
      { code: 'secret', name: ['更换与录入密钥', 'Renew and enter secrets'], needs: 'charging:secret:edit' },
    ],
  ),
  screen(
    '/recharge/chargingPlatformReduce',
    'PlatformReduceScreen',
    ['充电平台优惠', 'Platform discounts'],
    ['charging:platform-reduce:view', 'charging:station:view', 'parking:park:view'],
    [{ code: 'edit', name: ['编辑平台优惠', 'Edit discounts'], needs: 'charging:platform-reduce:edit' }],
  ),
  screen(
    '/recharge/chargingStatement',
    'StatementScreen',
    ['互联对账', 'Partner statements'],
    ['charging:statement:view'],
    [{ code: 'edit', name: ['对账、处理差异与结清', 'Check, close differences and settle'], needs: 'charging:statement:edit' }],
  ),
]
