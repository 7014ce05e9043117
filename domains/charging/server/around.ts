import type { House } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { text, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { discounts, discountsHeld } from '../../parking/server/api.ts'
import { orderPaid, owed } from '../../settlement/server/api.ts'
import { openVault } from '../../../platform/server/start/vault.ts'
import { ActivityRow } from '../contract/activity.ts'
import { Danger } from '../contract/danger.ts'
import { Fault } from '../contract/fault.ts'
import { PlatformRow } from '../contract/platform.ts'
import { PlatformReduce } from '../contract/platformReduce.ts'
import { Difference, StatementRow } from '../contract/statement.ts'
import { activitiesFor, calls as activities, takeActivity } from './activity.ts'
import { calls as analyses } from './analysis.ts'
import { blockedByDanger, calls as dangers, watchTask } from './danger.ts'
import { calls as figures } from './data.ts'
import { blockedByFault, calls as faults, hearGun, recoverTask, silenceTask } from './fault.ts'
import { calls as finances } from './finance.ts'
import { calls as lives } from './live.ts'
import { calls as maps } from './map.ts'
import { forgetTask, pushTask } from './partnerPush.ts'
import { useVault } from './partner.ts'
import { calls as platforms } from './platform.ts'
import { calls as reduces, pricesFor } from './platformReduce.ts'
import { calls as statements, statementTask } from './statement.ts'
import { calls as roamings } from './roaming/calls.ts'
import { stopTask, sweepRoaming } from './roaming/drive.ts'
import { fetchTask } from './roaming/fetch.ts'
import { waiverFor, waiverOwed, waiverSettled, holdWaiver } from './waiver.ts'
import { connectorChanged, offersFor, offerTaken, repriced, startBlocked } from './said.ts'

/** What stands around charges: promotions, partners, faults and dangers, and the figures of it all. */
export const around = {
  calls: [
    ...activities,
    ...platforms,
    ...reduces,
    ...statements,
    ...roamings,
    ...faults,
    ...dangers,
    ...lives,
    ...maps,
    ...figures,
    ...analyses,
    ...finances,
  ],
  tasks: [pushTask, forgetTask, statementTask, fetchTask, sweepRoaming, stopTask, recoverTask, silenceTask, watchTask],
  nouns: [
    { table: 'charging.activity', entity: ActivityRow, also: { stopped: yes('停用', 'Stopped') } },
    { table: 'charging.platform', entity: PlatformRow },
    { table: 'charging.platform_reduce', entity: PlatformReduce },
    { table: 'charging.statement', entity: StatementRow },
    { table: 'charging.partner_difference', entity: Difference },
    { table: 'charging.fault', entity: Fault },
    { table: 'charging.danger', entity: Danger, also: { handlerId: text('整改人编号', 'Handler id') } },
  ] satisfies Noun[],
  start(house: House): void {
    useVault(openVault(house.config, process.env))
    startBlocked.answer('charging.fault', blockedByFault)
    startBlocked.answer('charging.danger', blockedByDanger)
    offersFor.answer('charging.activity', async (tx, { stationId, startMode, ownerId, cardNo, platformId, at }) => {
      // A partner's drivers have their platform's discounts and no others.
      if (platformId !== null) return undefined
      // Nobody is known by a plate: at a public door anybody types anybody's.
      const open = await activitiesFor(tx, { stationId, startMode, userKey: ownerId ?? cardNo, at })
      return open.map(({ id, name, kind, value, thresholdFen, maxDiscountFen, createdAt }) => ({
        ...{ kind, sourceId: id, name, value, elecPermille: 1_000, thresholdFen: thresholdFen ?? 0, maxDiscountFen, createdAt },
      })) as never
    })
    offerTaken.answer('charging.activity', async (tx, { offer, orderNo, ownerKey, fen, at }) =>
      offer.kind > LAST_KIND ? undefined : takeActivity(tx, { activityId: offer.sourceId, orderNo, userKey: ownerKey, discountFen: fen, at }),
    )
    repriced.answer('charging.platform', async (tx, { platformId, stationId, periods, at }) =>
      platformId === null ? undefined : pricesFor(tx, { platformId, stationId, periods: [...periods], at }),
    )
    discounts.answer('charging', waiverFor)
    discountsHeld.answer('charging', holdWaiver)
    orderPaid.answer('charging.waiver', waiverSettled)
    owed.answer('charging.waiver', waiverOwed)
    on(connectorChanged, 'charging.fault', ({ tx, data }) => hearGun(tx, data))
  },
}
/** Kinds of offers beyond this are no promotion's. */
const LAST_KIND = 4
