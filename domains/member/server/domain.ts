import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { blacklistProposed, contactOf } from '../../arrears/server/api.ts'
import { groupsOf } from '../../charging/server/api.ts'
import { nowhere } from '../../fee/server/api.ts'
import { subNames } from '../../ledger/server/api.ts'
import { keptOfOwner, ownerErased, ownersMerged, passOfPlate, passOrders } from '../../owner/server/api.ts'
import { admission, cover, debts, parkHeld } from '../../parking/server/api.ts'
import { orderCancelled, orderPaid, paid, refundAsked, refundEnded } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as accessRules } from './accessRule.ts'
import { calls as amounts, reports } from './amount.ts'
import { calls as cars } from './car.ts'
import { businessCalls, calls as customers } from './customer.ts'
import { calls as groups, noGroup } from './group.ts'
import { tasks as earning } from './sold/income.ts'
import { letGo } from './sold/letGo.ts'
import { mergeCustomers } from './mine/merging.ts'
import { forgetOwner, keptOf } from './mine/forgetting.ts'
import { calls as mine } from './mine/mine.ts'
import { ordersOf } from './mine/minePasses.ts'
import { nouns } from './nouns.ts'
import { groupsOfOwner, hasPassFor } from './mine/ownerGroups.ts'
import { passes, seats } from './sold/passCalls.ts'
import { calls as plans } from './plan.ts'
import { hearRefund, refuseMuch } from './sold/refund.ts'
import { hearPaid, tasks as sales } from './sold/sale.ts'
import { calls as sheets } from './sheets.ts'
import { contactOfPass, coverOf, heldBy, standingOf } from './sold/standing.ts'
import { namesOfPasses } from './subNames.ts'
import { tasks as telling } from './sold/telling.ts'
import { tasks as upkeep } from './upkeep.ts'
import { calls as lists, isListedForDebt, propose, releasePaid } from './whiteBlack.ts'
import { known } from './known.ts'

export const member: Domain = {
  name: 'member',
  known,
  calls: [
    ...lists,
    ...customers,
    ...cars,
    ...seats,
    ...passes,
    ...groups,
    ...plans,
    ...accessRules,
    ...amounts,
    ...reports,
    ...businessCalls,
    ...sheets,
    ...mine,
  ],
  menu,
  nouns,
  tasks: [...sales, ...earning, ...telling, ...upkeep],
  start() {
    nowhere.answer('member', noGroup)
    admission.answer('member', standingOf)
    cover.answer('member', coverOf)
    contactOf.answer('member', contactOfPass)
    parkHeld.answer('member', heldBy)
    orderPaid.answer('member', hearPaid)
    orderCancelled.answer('member', (tx, { orderId, at }) => letGo(tx, orderId, at))
    refundAsked.answer('member', refuseMuch)
    refundEnded.answer('member', hearRefund)
    groupsOf.answer('member', groupsOfOwner)
    passOrders.answer('member', ordersOf)
    passOfPlate.answer('member', hasPassFor)
    ownersMerged.answer('member', mergeCustomers)
    keptOfOwner.answer('member', keptOf)
    ownerErased.answer('member', forgetOwner)
    subNames.answer('member', namesOfPasses)
    on(blacklistProposed, 'member.list', ({ tx, data, at }) => propose(tx, data, at))
    on(
      paid,
      'member.list',
      async ({ tx, data: { plateNo, at } }) => {
        const owes = await debts.ask(tx, { plateNo: plateNo!, plateColor: null, before: at, atMost: 1 })
        if (!owes.some(({ answer }) => answer.count > 0)) await releasePaid(tx, plateNo!, at)
      },
      { when: async ({ plateNo }, tx) => plateNo !== null && (await isListedForDebt(tx, plateNo)) },
    )
  },
}
