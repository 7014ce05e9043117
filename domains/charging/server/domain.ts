import type { Tx } from '../../../platform/server/database.ts'
import type { Domain } from '../../../platform/server/domain.ts'
import { orderPaid, refundEnded } from '../../settlement/server/api.ts'
import { regionHeld } from '../../system/server/api.ts'
import { type SubAccount, type SubName, subNames } from '../../ledger/server/api.ts'
import { menu } from '../contract/menu.ts'
import { around } from './around.ts'
import { calls as cards } from './card.ts'
import { calls as connectors } from './connector.ts'
import { calls as doors } from './door.ts'
import { finaliseDue } from './hear.ts'
import { lateDue } from './late.ts'
import { linkCalls, linkTasks, startLink } from './linkDomain.ts'
import { nouns } from './nouns.ts'
import { calls as operators } from './operator.ts'
import { calls as orders, hearRefundEnd } from './order.ts'
import { platformNames } from './partner.ts'
import { calls as piles } from './pile.ts'
import { forgetSamples } from './samples.ts'
import { hearPaid } from './start.ts'
import { calls as stations, stationsHold } from './station.ts'
import { calls as strategies } from './strategy.ts'
import { sweeping, sweepingOne } from './sweep.ts'
import { known } from './known.ts'

export const charging: Domain = {
  name: 'charging',
  known,
  calls: [...operators, ...stations, ...piles, ...connectors, ...strategies, ...cards, ...orders, ...doors, ...linkCalls, ...around.calls],
  menu,
  nouns: [...nouns, ...around.nouns],
  tasks: [finaliseDue, lateDue, forgetSamples, sweeping, sweepingOne, ...linkTasks, ...around.tasks],
  start(house) {
    startLink(house)
    around.start(house)
    orderPaid.answer('charging', hearPaid)
    refundEnded.answer('charging', hearRefundEnd)
    subNames.answer('charging', subsNamed)
    regionHeld.answer('charging', stationsHold)
  },
}

/** Whose a sub-account is: an order's prepayment, a company's credit, what a partner platform owes. */
async function subsNamed(tx: Tx, subs: readonly SubAccount[]): Promise<SubName[]> {
  const ours = subs.filter(({ account }) => NAMED.has(account))
  const partners = await platformNames(
    tx,
    ours.flatMap(({ sub }) => (sub.startsWith(PLATFORM) ? [sub.slice(PLATFORM.length)] : [])),
  )
  return ours.map(({ account, sub }) => {
    const partner = partners.get(sub.slice(PLATFORM.length))
    if (sub.startsWith(PLATFORM) && partner) return { account, sub, zh: `互联平台 ${partner}`, en: `Platform ${partner}` }
    return { account, sub, zh: sub.replace(/^unit:/, '单位 '), en: sub.replace(/^unit:/, 'Company ') }
  })
}
const PLATFORM = 'platform:'
const NAMED: ReadonlySet<string> = new Set(['liability.charge-prepaid', 'asset.partner', 'liability.partner', 'expense.partner-split'])
