import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const park = 'parking:park:view'
const infoNeeds = ['member:customer:view', 'member:pass:view', park] as const
const info = [
  { code: 'edit', name: ['新增与修改客户', 'Add and change customers'], needs: 'member:customer:edit' },
  { code: 'sell', name: ['售卡、续费、冻结、退卡', 'Sell, renew, freeze, cancel pass'], needs: 'member:pass:edit' },
  { code: 'audit', name: ['审核月卡', 'Review passes'], needs: 'member:pass:audit' },
  { code: 'defer', name: ['免费延期', 'Extend free of charge'], needs: 'member:pass:defer' },
  { code: 'import', name: ['导入客户', 'Import customers'], needs: 'member:customer:import' },
  { code: 'export', name: ['导出客户', 'Export customers'], needs: 'member:customer:export' },
  { code: 'amount', name: ['查看缴费', 'See payments'], needs: 'member:amount:view' },
] as const
const config = [{ code: 'edit', name: ['维护月卡类型', 'Manage pass types'], needs: 'member:group:edit' }] as const
const plans = { code: 'plan', name: ['维护套餐', 'Manage plans'], needs: 'member:plan:edit' } as const
const configNeeds = ['member:group:view', 'member:plan:view', park] as const
const list = [
  { code: 'edit', name: ['维护名单', 'Manage lists'], needs: 'member:list:edit' },
  { code: 'import', name: ['导入名单', 'Import lists'], needs: 'member:list:import' },
  { code: 'export', name: ['导出名单', 'Export lists'], needs: 'member:list:export' },
] as const
const listNeeds = ['member:list:view', park] as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen('/operation/month/info', 'MonthInfoScreen', ['月卡客户', 'Pass holders'], [...infoNeeds], [...info]),
  screen(
    '/operation/month/pay',
    'MonthPayScreen',
    ['月卡缴费', 'Pass payments'],
    ['member:amount:view', park],
    [{ code: 'export', name: ['导出缴费', 'Export payments'], needs: 'member:amount:export' }],
  ),
  screen('/operation/month/config', 'MonthConfigScreen', ['月卡类型与套餐', 'Pass types and plans'], [...configNeeds], [...config, plans]),
  screen('/operation/white/manager', 'WhiteScreen', ['白名单管理', 'White list management'], [...listNeeds], [...list]),
  screen('/operation/white/free', 'FreeCarScreen', ['免费车辆', 'Free cars'], [...listNeeds], [list[0]]),
  screen('/operation/white/staff', 'StaffCarScreen', ['内部员工车辆', 'Staff cars'], [...listNeeds], [list[0]]),
  screen('/operation/black', 'BlackScreen', ['黑名单', 'Black list'], [...listNeeds], [...list]),
  screen(
    '/assetManage/parkingAndFacility/admittance',
    'AdmittanceScreen',
    ['准入规则', 'Access rules'],
    ['member:access:view', park],
    [{ code: 'edit', name: ['维护准入规则', 'Manage access rules'], needs: 'member:access:edit' }],
  ),
  screen('/appManage/toll/longRent', 'LongRentScreen', ['长租收费规则', 'Long-term fee rules'], ['member:plan:view', park], [plans]),
  screen('/businessCenter/monthCard/cardVipManage', 'CardVipScreen', ['月卡会员管理', 'Pass members'], [...infoNeeds], [...info]),
  screen('/businessCenter/monthCard/cardConfig', 'CardConfigScreen', ['月卡类型配置', 'Pass configuration'], [...configNeeds], [...config]),
  screen('/businessCenter/car/blackList', 'FirmBlackScreen', ['车辆黑名单', 'Car black list'], [...listNeeds], [...list]),
  screen('/businessCenter/car/white', 'FirmWhiteScreen', ['车辆白名单', 'Car white list'], [...listNeeds], [...list]),
]
