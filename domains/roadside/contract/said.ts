import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('roadside', {
  elsewhere: ['同一车牌同时在两个泊位', 'The same plate stands at two berths at once'],
  inTime: ['缴费后在离场时限内驶离', 'Left within the grace period after payment'],
  policeBack: ['交警平台退回', 'Returned by the police platform'],
  noPolice: ['未配置交警平台地址', 'No police platform is set up'],
  policeSaid: ['交警平台返回 {status}', 'The police platform answered {status}'],
  noPoliceNumber: ['交警平台未返回编号', 'The police platform gave no number'],
})
