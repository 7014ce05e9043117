import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const repairMenu: MenuEntry[] = [
  screen('/operation/maintain/maintainRecord', 'MaintainRecordScreen', ['维修记录', 'Maintenance records'], ['inspection:repair:view', 'parking:park:view'], [
    { code: 'edit', name: ['登记报修', 'Report for repair'], needs: 'inspection:repair:edit' },
    { code: 'handle', name: ['派单、维修与验收', 'Assign, repair and accept'], needs: 'inspection:repair:handle' },
  ]),
] // prettier-ignore
