import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('inspection', {
  cycleChanged: ['规则周期已变更', 'The rule’s cycle was changed'],
  ruleDeleted: ['规则已删除', 'The rule was deleted'],
  parkRemoved: ['车场已移出规则', 'The car park was taken out of the rule'],
  scanned: ['扫码用户', 'Driver (scanned code)'],
  again: ['复检 {name}', 'Re-inspection: {name}'],
  broken: ['{device} 故障', '{device}: fault'],
  accepted: ['维修单 {repairNo} 已验收', 'Repair {repairNo} was accepted'],
  scrapped: ['维修单 {repairNo} 已转报废', 'Repair {repairNo} became a scrapping'],
})
