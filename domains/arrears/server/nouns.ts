import { fen, instant, text, whole } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Appeal } from '../contract/appeal.ts'
import { Closing } from '../contract/closing.ts'
import { Dun } from '../contract/dun.ts'
import { EtcFile, EtcPassage } from '../contract/etc.ts'
import { ArrearsRecord, Evidence } from '../contract/file.ts'

export const nouns: Noun[] = [
  {
    table: 'arrears.record',
    entity: ArrearsRecord,
    also: {
      beforeAppeal: whole('申诉前状态', 'Status before appeal'),
      nextDunAt: instant('下次催缴', 'Next reminder'),
      dunStep: whole('催缴阶段', 'Reminder step'),
      dunFrom: instant('催缴起算', 'Reminders counted from'),
    },
  },
  {
    table: 'arrears.evidence',
    entity: Evidence,
    also: { recordId: text('欠费记录', 'Arrears record'), parkCode: text('车场编号', 'Car park code') },
  },
  { table: 'arrears.appeal', entity: Appeal, also: { approverId: text('处理人编号', 'Decided by (id)') } },
  { table: 'arrears.closing', entity: Closing, also: { secondApproverId: text('二审编号', 'Second approver id') } },
  { table: 'arrears.dun', entity: Dun },
  { table: 'arrears.etc_file', entity: EtcFile, also: { digest: text('校验值', 'Checksum') } },
  {
    table: 'arrears.etc_deduct',
    label: ['ETC 扣费', 'ETC deduction'],
    entity: EtcPassage,
    also: {
      paymentId: text('支付', 'Payment'),
      gateCode: text('通道编号', 'Lane code'),
      deviceNo: text('设备编号', 'Device number'),
      feeFen: fen('手续费', 'Fee'),
      issuerTradeNo: text('发行方流水号', 'Issuer transaction ID'),
      tries: whole('查询次数', 'Queries'),
    },
  },
]
