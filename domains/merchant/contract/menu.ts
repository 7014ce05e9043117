import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const edit = { code: 'edit', name: ['新增与修改商户', 'Add and change merchants'], needs: 'merchant:merchant:edit' } as const
const reset = { code: 'reset', name: ['重置商户密码', 'Reset merchant passwords'], needs: 'merchant:merchant:reset' } as const
const recharge = { code: 'recharge', name: ['商户充值', 'Recharge merchants'], needs: 'merchant:account:recharge' } as const
const grant = { code: 'grant', name: ['授信管理', 'Grant and withdraw credit'], needs: 'merchant:credit:grant' } as const
const confirm = { code: 'confirm', name: ['确认对账单', 'Confirm statements'], needs: 'merchant:statement:confirm' } as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/businessCenter/merchant/account',
    'MerchantScreen',
    ['商户账户管理', 'Merchant accounts'],
    ['merchant:merchant:view', 'merchant:account:view', 'merchant:credit:view', 'merchant:statement:view', 'parking:park:view'],
    [edit, reset, recharge, grant, confirm],
  ),
  screen(
    '/advertisement',
    'AdvertisementScreen',
    ['广告管理', 'Advertisements'],
    ['merchant:advertisement:view'],
    [
      { code: 'edit', name: ['编辑广告', 'Edit advertisements'], needs: 'merchant:advertisement:edit' },
      { code: 'audit', name: ['审核广告', 'Review advertisements'], needs: 'merchant:advertisement:audit' },
    ],
  ),
]
