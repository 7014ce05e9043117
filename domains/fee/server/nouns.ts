import { text } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { Associate } from '../contract/associate.ts'
import { Holiday } from '../contract/holiday.ts'
import { Rule } from '../contract/rule.ts'
import { Frequency, Hour, Segment, Step } from '../contract/segment.ts'

export const nouns: Noun[] = [
  {
    table: 'fee.rule',
    label: ['收费规则', 'Fee rule'],
    entity: Rule,
    also: { document: text('费率', 'Tariff'), origin: text('导入原文', 'As it was imported') },
  },
  { table: 'fee.associate', label: ['规则关联', 'Rule’s use'], entity: Associate },
  { table: 'fee.segment', label: ['时段', 'Band'], entity: Segment },
  { table: 'fee.frequency', label: ['按次计费', 'Price per visit'], entity: Frequency },
  { table: 'fee.hour', label: ['按时计费', 'Price per time'], entity: Hour },
  { table: 'fee.step', label: ['阶梯计费', 'Price by steps'], entity: Step },
  { table: 'fee.holiday', label: ['节假日', 'Holiday'], entity: Holiday },
]
