import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const edit = { code: 'edit', name: ['建档与补证据', 'Open files, add evidence'], needs: 'arrears:record:edit' } as const
const record = [
  edit,
  { code: 'collect', name: ['补缴', 'Collect'], needs: 'arrears:repay:collect' },
  { code: 'dunView', name: ['查看催缴', 'View reminders'], needs: 'arrears:dun:view' },
  { code: 'dun', name: ['催缴', 'Send reminder'], needs: 'arrears:dun:send' },
  { code: 'appealView', name: ['查看申诉', 'View appeals'], needs: 'arrears:appeal:view' },
  { code: 'appealApply', name: ['登记申诉', 'Record appeals'], needs: 'arrears:appeal:apply' },
  { code: 'appealDecide', name: ['处理申诉', 'Decide appeals'], needs: 'arrears:appeal:decide' },
  { code: 'closingView', name: ['查看坏账核销与撤销', 'View write-offs and revocations'], needs: 'arrears:closing:view' },
  { code: 'closingApply', name: ['申请坏账核销与撤销', 'Request write-off or revocation'], needs: 'arrears:closing:apply' },
  { code: 'closingApprove', name: ['审核坏账核销与撤销', 'Approve write-offs and revocations'], needs: 'arrears:closing:approve' },
] as const
const looks = ['arrears:record:view', 'parking:park:view'] as const
const repays = ['arrears:repay:view', 'parking:park:view'] as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen('/userCenter/arrearage/record', 'ArrearsScreen', ['欠费记录', 'Arrears records'], [...looks], [...record]),
  screen('/userCenter/arrearage/supplementary', 'RepaymentScreen', ['欠费补缴', 'Arrears repayments'], [...repays]),
  screen('/userCenter/arrearage/abnormal', 'AbnormalArrearsScreen', ['异常欠费', 'Abnormal arrears'], [...looks], [edit]),
  screen('/operation/record/parking/arrears', 'ParkArrearsScreen', ['停车场欠费', 'Park arrears'], [...looks], [...record]),
  screen('/operation/record/parking/makeUp', 'ParkRepaymentScreen', ['停车场补缴', 'Park repayments'], [...repays]),
  screen('/operation/record/roadParking/arrears', 'RoadArrearsScreen', ['路内欠费', 'Roadside arrears'], [...looks], [...record]),
  screen('/operation/record/roadParking/makeUp', 'RoadRepaymentScreen', ['路内补缴', 'Roadside repayments'], [...repays]),
  screen(
    '/extendedBusiness/etc/arrears',
    'EtcArrearsScreen',
    ['ETC欠费', 'ETC arrears'],
    ['arrears:etc:view', 'parking:park:view'],
    [{ code: 'clear', name: ['导入清分文件', 'Import clearing file'], needs: 'arrears:etc:clear' }],
  ),
  screen(
    '/extendedBusiness/etc/deduct',
    'EtcDeductScreen',
    ['ETC 扣费记录', 'ETC deductions'],
    ['arrears:etc:view', 'parking:park:view'],
    [{ code: 'apply', name: ['申请 ETC 退款', 'Request ETC refunds'], needs: 'arrears:etc:refund' }],
  ),
  screen('/extendedBusiness/etc/gis', 'EtcMapScreen', ['ETC地图', 'ETC map'], ['arrears:etc:view', 'parking:park:view', 'device:etc:view']),
  screen(
    '/extendedBusiness/etc/refund',
    'EtcRefundScreen',
    ['ETC退款', 'ETC refunds'],
    ['arrears:etc:view', 'parking:park:view'],
    [
      { code: 'apply', name: ['申请 ETC 退款', 'Request ETC refunds'], needs: 'arrears:etc:refund' },
      { code: 'verify', name: ['审核 ETC 退款', 'Review ETC refunds'], needs: 'arrears:etc:verify' },
    ],
  ),
]
