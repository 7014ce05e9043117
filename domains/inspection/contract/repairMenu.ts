import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const repairMenu: MenuEntry[] = [
  screen(
    '/operation/maintain/maintainRecord',
    'MaintainRecordScreen',
    ['维修记录', 'Maintenance records'],
    ['inspection:repair:view', 'parking:park:view'],
    [
      { code: 'edit', name: ['登记报修', 'Report a fault'], needs: 'inspection:repair:edit', type: ButtonType.primary },
      { code: 'handle', name: ['派单、维修与验收', 'Assign, repair and accept'], needs: 'inspection:repair:handle' },
    ],
  ),
  screen(
    '/operation/maintain/scrapRecord',
    'ScrapRecordScreen',
    ['报废记录', 'Scrap records'],
    ['inspection:scrap:view', 'inspection:repair:view', 'parking:park:view'],
    [
      { code: 'apply', name: ['申请报废', 'Request scrapping'], needs: 'inspection:scrap:apply', type: ButtonType.primary },
      { code: 'decide', name: ['审批报废', 'Decide scrap requests'], needs: 'inspection:scrap:decide' },
      { code: 'head', name: ['企业负责人复审', 'Approve as head of the enterprise'], needs: 'inspection:scrap:head' },
    ],
  ),
]
