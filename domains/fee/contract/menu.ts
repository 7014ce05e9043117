import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  screen(
    '/appManage/toll/ordinary',
    'FeeRuleScreen',
    ['普通收费规则', 'Ordinary fee rules'],
    ['fee:rule:view'],
    [
      { code: 'edit', name: ['新增、导入与修改', 'Add, import and change'], needs: 'fee:rule:edit' },
      { code: 'publish', name: ['发布与停用', 'Publish and withdraw'], needs: 'fee:rule:publish' },
      { code: 'rehearse', name: ['影响测算', 'Rehearse'], needs: 'fee:rehearsal:run' },
      { code: 'override', name: ['超阈值放行', 'Publish over the threshold'], needs: 'fee:rule:override' },
      { code: 'delete', name: ['删除草稿', 'Delete drafts'], needs: 'fee:rule:delete' },
    ],
  ),
  screen(
    '/assetManage/parkingAndFacility/chargeConfig',
    'ChargeConfigScreen',
    ['停车场收费规则绑定', 'Fee rules by car park'],
    ['fee:associate:view', 'fee:rule:view', 'fee:car-fee:view', 'parking:park:view'],
    [{ code: 'edit', name: ['关联规则', 'Link a rule'], needs: 'fee:associate:edit', type: ButtonType.primary }],
  ),
]
