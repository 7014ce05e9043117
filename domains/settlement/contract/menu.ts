import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  screen('/operation/temporaryIncome', 'TemporaryIncomeScreen', ['临停收入', 'Temporary parking income'], ['settlement:report:view']),
  screen(
    '/operation/finance',
    'FinanceScreen',
    ['财务对账', 'Finance'],
    ['settlement:order:view'],
    [
      { code: 'pay', name: ['发起支付', 'Start a payment'], needs: 'settlement:order:pay' },
      { code: 'cash', name: ['收现金', 'Take cash'], needs: 'settlement:order:cash' },
      { code: 'cancel', name: ['取消订单', 'Cancel an order'], needs: 'settlement:order:cancel' },
      { code: 'refundView', name: ['查看退款', 'See refunds'], needs: 'settlement:refund:view' },
      { code: 'refundApply', name: ['申请退款', 'Ask for a refund'], needs: 'settlement:refund:apply' },
      { code: 'refundApprove', name: ['审核退款', 'Approve refunds'], needs: 'settlement:refund:approve' },
      { code: 'waiverView', name: ['查看减免', 'See waivers'], needs: 'settlement:waiver:view' },
      { code: 'waiverApply', name: ['申请减免', 'Ask for a waiver'], needs: 'settlement:waiver:apply' },
      { code: 'waiverApprove', name: ['审核减免', 'Approve waivers'], needs: 'settlement:waiver:approve' },
    ],
  ),
]
