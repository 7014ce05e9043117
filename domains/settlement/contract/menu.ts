import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  screen('/operation/temporaryIncome', 'TemporaryIncomeScreen', ['临停收入', 'Temporary parking income'], ['settlement:report:view']),
  screen('/operation/monthlyRecharge', 'MonthlyRechargeScreen', ['月卡收入', 'Pass income'], ['settlement:report:view', 'parking:park:view']),
  screen(
    '/operation/finance',
    'FinanceScreen',
    ['财务对账', 'Finance'],
    ['settlement:order:view'],
    [
      { code: 'pay', name: ['发起支付', 'Start a payment'], needs: 'settlement:order:pay' },
      { code: 'cash', name: ['收现金', 'Take cash'], needs: 'settlement:order:cash' },
      { code: 'cancel', name: ['取消订单', 'Cancel order'], needs: 'settlement:order:cancel', type: ButtonType.danger },
      { code: 'refundView', name: ['查看退款', 'View refunds'], needs: 'settlement:refund:view' },
      { code: 'refundApply', name: ['申请退款', 'Request a refund'], needs: 'settlement:refund:apply' },
      { code: 'refundApprove', name: ['审核退款', 'Approve refunds'], needs: 'settlement:refund:approve' },
      { code: 'checkView', name: ['查看对账', 'View clearing'], needs: 'settlement:liquidation:view' },
      { code: 'checkImport', name: ['导入对账文件', 'Import channel files'], needs: 'settlement:liquidation:import' },
      { code: 'checkHandle', name: ['处理对账差异', 'Handle differences'], needs: 'settlement:liquidation:handle' },
      { code: 'checkReview', name: ['复核对账差异', 'Review differences'], needs: 'settlement:liquidation:review' },
      { code: 'checkClose', name: ['关账', 'Close day'], needs: 'settlement:liquidation:close' },
      { code: 'waiverView', name: ['查看减免', 'View waivers'], needs: 'settlement:waiver:view' },
      { code: 'waiverApply', name: ['申请减免', 'Request a waiver'], needs: 'settlement:waiver:apply' },
      { code: 'waiverApprove', name: ['审核减免', 'Approve waivers'], needs: 'settlement:waiver:approve' },
    ],
  ),
]
