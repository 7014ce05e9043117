import type { Kind } from '../../../platform/server/record/kinds.ts'
import { Associate, associate } from '../contract/associate.ts'
import { Holiday, holiday } from '../contract/holiday.ts'
import { Rule, rule } from '../contract/rule.ts'
import { Frequency, frequency, Hour, hour, Segment, segment, Step, step } from '../contract/segment.ts'
import { tieMayComeBack } from './associate.ts'
import { priceMayComeBack, segmentMayComeBack } from './segment.ts'

/** Rules, and what they are made of: all of it comes back only into a draft. */
export const records: Kind[] = [
  { table: 'fee.rule', label: ['收费规则', 'Fee rule'], entity: Rule, needs: rule.queryPage.needs, bin: { needs: rule.delete.needs } },
  {
    table: 'fee.associate',
    label: ['规则关联', 'Fee rule link'],
    entity: Associate,
    needs: associate.queryPage.needs,
    bin: { needs: associate.delete.needs, restored: (tx, _, id) => tieMayComeBack(tx, id) },
  },
  {
    table: 'fee.segment',
    entity: Segment,
    needs: segment.queryPage.needs,
    bin: { needs: segment.delete.needs, restored: (tx, _, id) => segmentMayComeBack(tx, id) },
  },
  {
    table: 'fee.frequency',
    entity: Frequency,
    needs: frequency.queryPage.needs,
    bin: { needs: frequency.delete.needs, restored: (tx, _, id) => priceMayComeBack(tx, 'fee.frequency', id) },
  },
  {
    table: 'fee.hour',
    entity: Hour,
    needs: hour.queryPage.needs,
    bin: { needs: hour.delete.needs, restored: (tx, _, id) => priceMayComeBack(tx, 'fee.hour', id) },
  },
  {
    table: 'fee.step',
    entity: Step,
    needs: step.queryPage.needs,
    bin: { needs: step.delete.needs, restored: (tx, _, id) => priceMayComeBack(tx, 'fee.step', id) },
  },
  { table: 'fee.holiday', entity: Holiday, needs: rule.queryPage.needs, bin: { needs: holiday.delete.needs } },
]
