import { text } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Associate } from '../contract/associate.ts'
import { Holiday } from '../contract/holiday.ts'
import { Rehearsal, RehearsedStay } from '../contract/rehearsal.ts'
import { Rule } from '../contract/rule.ts'
import { Frequency, Hour, Segment, Step } from '../contract/segment.ts'

export const nouns: Noun[] = [
  {
    table: 'fee.rule',
    label: ['收费规则', 'Fee rule'],
    entity: Rule,
    also: { document: text('费率', 'Tariff'), origin: text('导入原文', 'Imported source') },
  },
  { table: 'fee.associate', label: ['规则关联', 'Fee rule link'], entity: Associate },
  { table: 'fee.segment', entity: Segment },
  { table: 'fee.frequency', entity: Frequency },
  { table: 'fee.hour', entity: Hour },
  { table: 'fee.step', entity: Step },
  { table: 'fee.holiday', entity: Holiday },
  {
    table: 'fee.rehearsal',
    entity: Rehearsal,
    also: {
      tariff: text('费率', 'Tariff'),
      mark: text('费率指纹', 'Tariff fingerprint'),
      scopeParks: text('发起人的车场', 'Initiator’s car parks'),
    },
  },
  { table: 'fee.rehearsed_stay', entity: RehearsedStay, also: { terms: text('计费条件', 'Terms'), ruleVersionId: text('规则版本', 'Rule version') } },
]
