import type { Domain } from '../../../platform/server/domain.ts'
import { openVault } from '../../../platform/server/start/vault.ts'
import { noticesOf, repriced } from '../../charging/server/api.ts'
import { subNames } from '../../ledger/server/api.ts'
import { discounts, discountsHeld } from '../../parking/server/api.ts'
import { orderPaid, owed } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as roamings } from './calls.ts'
import { stopTask, sweepRoaming } from './drive.ts'
import { fetchTask } from './fetch.ts'
import { nouns } from './nouns.ts'
import { partnerSubs, useVault } from './partner.ts'
import { noticesOfPartners } from './partnerNotices.ts'
import { forgetTask, pushTask } from './partnerPush.ts'
import { calls as platforms } from './platform.ts'
import { calls as reduces, pricesFor } from './platformReduce.ts'
import { calls as statements, statementTask } from './statement.ts'
import { holdWaiver, waiverFor, waiverOwed, waiverSettled } from './waiver.ts'

/** Partner platforms: theirs at our stations, ours at theirs. Its calls and jobs are still called as those of charging, which they were once. */
export const roaming: Domain = {
  name: 'roaming',
  calls: [...platforms, ...reduces, ...statements, ...roamings],
  menu,
  nouns,
  tasks: [pushTask, forgetTask, statementTask, fetchTask, sweepRoaming, stopTask],
  start(house) {
    useVault(openVault(house.config, process.env))
    subNames.answer('roaming', partnerSubs)
    noticesOf.answer('roaming', noticesOfPartners)
    repriced.answer('charging.platform', async (tx, { platformId, stationId, periods, at }) =>
      platformId === null ? undefined : pricesFor(tx, { platformId, stationId, periods: [...periods], at }),
    )
    // The name comes back with a discount that is kept, and says whom it concerns.
    discounts.answer('charging', waiverFor)
    discountsHeld.answer('charging', holdWaiver)
    orderPaid.answer('charging.waiver', waiverSettled)
    owed.answer('charging.waiver', waiverOwed)
  },
}
