import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { linesAbout } from '../../../ledger/server/api.ts'
import { PartnerGun, partnerGunSearch, partnerStation } from '../../contract/partnerStation.ts'
import { roaming, type RoamingStory } from '../../contract/roaming.ts'
import { StopReason } from '../../contract/session.ts'
import { Stale } from '../../../../platform/server/refusal.ts'
import { agreeDoubt, billsOf, decideDoubt } from './bill.ts'
import { lockRoaming, type RoamingCharge, roamings, roamingShown } from './charge.ts'
import { stopRoaming } from './drive.ts'
import { fetchFrom } from './fetch.ts'
import { calls as mine } from './mine.ts'
import '../tables.ts'

const guns = listOver(PartnerGun, 'charging.partnerGun', partnerGunSearch)

export const calls = [
  ...serve(partnerStation, {
    guns: ({ tx, input }) => page(tx, guns, input),
    fetch: phased(({ input: { platformId }, write }) => fetchFrom(write, platformId, { whole: true })),
  }),
  ...serve(roaming, {
    query: ({ tx, input }) => page(tx, roamings, input),
    export: exporting(roaming.export, roamings),
    detail: ({ tx, input: { id } }) => storyOf(tx, id),
    stop: phased(async ({ input: { id, reason }, read, write }) => {
      await stopRoaming(write, id, StopReason.partner, reason)
      return read((tx) => roamingShown(tx, id))
    }),
    async settle({ tx, input: { amountFen, reason, ...which }, actor, at }) {
      await agreeDoubt(tx, await seen(tx, which), amountFen, reason, actor, at)
      return roamingShown(tx, which.id)
    },
    async settleDecide({ tx, input: { pass, verdict, ...which }, actor, at }) {
      await decideDoubt(tx, await seen(tx, which), pass, verdict, actor, at)
      return roamingShown(tx, which.id)
    },
  }),
  ...mine,
]

/** Held, as whoever asks has seen it. */
async function seen(tx: Tx, { id, version }: { id: string; version: number }): Promise<RoamingCharge> {
  const charge = await lockRoaming(tx, id)
  if (charge.version !== version) throw Stale({ version: charge.version, sent: version })
  return charge
}

type Story = Of<typeof RoamingStory>
async function storyOf(tx: Tx, id: string): Promise<Story> {
  const shown = await roamingShown(tx, id)
  const letters = await run<Story['letters'][number]>(tx, { sql: LETTERS }, [shown.orderNo])
  return { ...shown, bills: await billsOf(tx, shown.orderNo), letters: letters.toReversed(), entries: await linesAbout(tx, shown.orderNo) }
}
/** The last of them: of a long charge every minute is told, and its bill comes at the end. */
const LETTERS_MOST = 200
const LETTERS = `select id, way, interface, state, ret, created_at from charging.partner_message where enterprise_id = scope_enterprise() and order_no = $1 order by created_at desc, id desc limit ${LETTERS_MOST}`
