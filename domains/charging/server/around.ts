import { on } from '../../../platform/server/events.ts'
import { text, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { ActivityRow } from '../contract/activity.ts'
import { Danger } from '../contract/danger.ts'
import { Fault } from '../contract/fault.ts'
import { activitiesFor, calls as activities, takeActivity } from './activity.ts'
import { calls as analyses } from './figures/analysis.ts'
import { blockedByDanger, calls as dangers, watchTask } from './care/danger.ts'
import { calls as figures } from './figures/data.ts'
import { blockedByFault, calls as faults, hearGun, recoverTask, silenceTask } from './care/fault.ts'
import { calls as finances } from './figures/finance.ts'
import { calls as lives } from './figures/live.ts'
import { calls as maps } from './figures/map.ts'
import { connectorChanged } from './saidPile.ts'
import { offersFor, offerTaken, startBlocked } from './said.ts'

/** What stands around charges: promotions, faults and dangers, and the figures of it all. */
export const around = {
  calls: [...activities, ...faults, ...dangers, ...lives, ...maps, ...figures, ...analyses, ...finances],
  tasks: [recoverTask, silenceTask, watchTask],
  nouns: [
    { table: 'charging.activity', entity: ActivityRow, also: { stopped: yes('停用', 'Stopped') } },
    { table: 'charging.fault', entity: Fault },
    { table: 'charging.danger', entity: Danger, also: { handlerId: text('整改人编号', 'Handler id') } },
  ] satisfies Noun[],
  start(): void {
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
    on(connectorChanged, 'charging.fault', ({ tx, data }) => hearGun(tx, data))
  },
}
/** Kinds of offers beyond this are no promotion's. */
const LAST_KIND = 4
