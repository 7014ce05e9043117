import { among, dictionary, entity, fen, instant, listOf, type Of, orNone, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

/** The kind of a line of a quote. `charged` lines carry money; the others say where time cost nothing, or adjust the sum. */
export const LineKind = dictionary('fee_line_kind', ['计费行', 'Fee line'], {
  byUnit: [1, '按单元', 'By unit'],
  byVisit: [2, '按次', 'By visit'],
  inProportion: [3, '按比例', 'In proportion'],
  byLength: [4, '按时长表', 'By length'],
  unitCharged: [5, '已计入上一单元', 'Within a unit already billed'],
  freeHours: [6, '免费时段', 'Free hours'],
  freeMinutes: [7, '免费时长', 'Free time'],
  outsideHours: [8, '非收费时段', 'Outside charging hours'],
  covered: [9, '已抵扣', 'Covered'],
  factor: [10, '倍率', 'Factor'],
  rounding: [11, '取整', 'Rounding'],
  wholeDay: [12, '满 24 小时', 'Full 24 hours'],
})
export type LineKindCode = keyof typeof LineKind.entries
export const CappedBy = dictionary('fee_capped_by', ['封顶', 'Capped by'], {
  band: [1, '时段封顶', 'Band cap'],
  day: [2, '每日封顶', 'Daily cap'],
  stay: [3, '单次封顶', 'Stay cap'],
})
/** The first four are what a rule comes to; the rest hold whatever the rule says. */
export const FreeReason = dictionary('fee_free_reason', ['免费原因', 'Reason it is free'], {
  noTime: [1, '无停车时长', 'No parking time'],
  freeMinutes: [2, '在免费时长内', 'Within free time'],
  covered: [3, '已由月卡或预约抵扣', 'Covered by a pass or a reservation'],
  outsideHours: [4, '停在非收费时段', 'Outside charging hours'],
  special: [5, '特种车免费', 'Special vehicle, free'],
  emergency: [6, '应急常开，免费放行', 'All barriers open in an emergency: free'],
  white: [7, '白名单免费', 'On the white list, free'],
  paid: [8, '已缴费，离场时限内', 'Paid, within the time to leave'],
})

export type FreeReasonCode = keyof typeof FreeReason.entries

/** One part of a fee, in the order of time. The lines' `amountFen` add up to the total, always. */
export const QuoteLine = entity({
  kind: among('类型', 'Type', LineKind),
  from: instant('起', 'From'),
  to: instant('止', 'To'),
  /** The band's name, or its hours. Its place in the rule tells bands of one name apart; -1: none. */
  segment: orNone(text('时段', 'Band')),
  segmentNo: whole('时段序号', 'Band number', { min: -1 }),
  units: whole('单元数', 'Units', { min: 0 }),
  unitMin: whole('单元时长', 'Unit', { unit: 'minute', min: 0 }),
  unitFen: fen('单价', 'Unit price'),
  /** The same to 0.0001 yuan, for prices below a fen. */
  unitE4: whole('单价', 'Unit price', { unit: 'yuan-e4', min: 0 }),
  /** Before caps. */
  fullFen: fen('封顶前金额', 'Before caps'),
  amountFen: fen('金额', 'Amount'),
  cappedBy: orNone(among('封顶', 'Capped by', CappedBy)),
  /** From here on the cap holds. */
  cappedFrom: orNone(instant('封顶自', 'Capped from')),
})
export type QuoteLineOf = Of<typeof QuoteLine>

/** The cost of a stay, with its breakdown. */
export const Quote = entity({
  totalFen: fen('总金额', 'Total', { min: 0 }),
  /** Earlier payments, which are taken off; the rest is never below zero. */
  paidFen: fen('已付', 'Paid', { min: 0 }),
  payableFen: fen('应付', 'Payable', { min: 0 }),
  entry: instant('入场时间', 'Entry'),
  at: instant('计费至', 'Until'),
  lines: shaped('明细', 'Lines', listOf(QuoteLine)),
  freeReason: orNone(among('免费原因', 'Reason it is free', FreeReason)),
  ruleVersionId: orNone(text('收费规则版本', 'Rule version', { max: 40 })),
  ruleName: text('规则名称', 'Rule', { min: 0, max: 100 }),
  ruleVersionNo: whole('版本号', 'Version number'),
  /** The total stays the same up to and including this moment; none: it stays so for as long as anybody looks ahead. */
  validUntil: orNone(instant('有效至', 'Valid until')),
  /** The stay met a year whose holidays are not known: its days were taken as plain. */
  holidaysUnknown: yes('节假日未知', 'Holidays unknown'),
})
export type QuoteOf = Of<typeof Quote>
