import { randomUUIDv7 } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { recall, sendInner } from '../../message/server/api.ts'
import { ALONE_POINTS, GrantState, grantSearch, PointsGrant, pointsGrant, PointsGrantLine } from '../contract/pointsGrant.ts'
import { type Account, earn, lockAccount } from './pointsBook.ts'
import { yearEnd } from './pointsEarning.ts'

const OwnGrant = refusal(
  'coupon.points-grant-own',
  41672,
  '申请人与审核人不能是同一人：请由另一位有审核权限的人处理',
  'Whoever requested a grant cannot decide on it: somebody else with permission to approve must',
)
const NotYours = refusal(
  'coupon.points-grant-not-yours',
  41673,
  '只有申请人可以撤回：如不同意，请驳回',
  'Only whoever requested a grant can withdraw it: reject it if you do not agree',
)
type Person = { userId: string; userName: string }
type Grant = Of<typeof PointsGrant>
const grants = listOver(PointsGrant, 'coupon.pointsGrant', grantSearch)
const lines = listOver(PointsGrantLine, 'coupon.pointsGrantLine', grantSearch, { sums: ['points'] })

export const calls = serve(pointsGrant, {
  query: ({ tx, input }) => page(tx, lines, input),
  async approve({ tx, input, actor, at }) {
    const { account, found } = await held(tx, input)
    refuseOwn(found, actor)
    const decided = await decide(tx, found, GrantState.granted, actor, at, input.verdict)
    const { points, reason } = decided
    await earn(tx, account.id, { points, bizNo: `HF-${decided.id}`, memo: reason, at, expireAt: yearEnd(at) })
    return decided
  },
  async reject({ tx, input, actor, at }) {
    const { found } = await held(tx, input)
    refuseOwn(found, actor)
    return decide(tx, found, GrantState.rejected, actor, at, input.verdict)
  },
  async withdraw({ tx, input, actor, at }) {
    const { found } = await held(tx, input)
    if (found.applicantId !== (actor.userId as string)) throw NotYours()
    await recall(tx, concernsOf(found.id), at)
    return setRow(tx, grants, found, { state: GrantState.withdrawn, decidedAt: at }, at)
  },
  limit: async ({ tx }) => ({ alone: await aloneLimit(tx) }),
  async setLimit({ tx, input: { alone } }) {
    await run(tx, SET_LIMIT, [alone])
    return { alone }
  },
})

/** Points by hand. More than one person may grant, in one go or in parts, waits for another. */
export async function grant(
  tx: Tx,
  of: { accountId: string; points: number; reason: string },
  actor: Person,
  at: Instant,
): Promise<Account & { waits: boolean }> {
  const account = await lockAccount(tx, of.accountId)
  const [{ lately } = { lately: 0 }] = await run<{ lately: number }>(tx, LATELY, [account.id, at])
  if (of.points + lately <= (await aloneLimit(tx))) {
    const facts = { points: of.points, bizNo: `${ALONE}${randomUUIDv7()}`, memo: of.reason, at, expireAt: yearEnd(at) }
    return { ...(await earn(tx, account.id, facts)), waits: false }
  }
  const made = await addRow(tx, grants, {
    ...of,
    accountId: account.id,
    applicantId: actor.userId as Grant['applicantId'],
    applicantName: actor.userName,
    appliedAt: at,
  })
  await sendInner(tx, {
    to: { capability: pointsGrant.approve.needs as string, parkCode: null, not: [actor.userId] },
    title: [`待审核积分发放：${of.points}`, `Points to approve: ${of.points}`],
    body: [`${account.name}：${of.reason}`, `${account.name}: ${of.reason}`],
    link: WAITING,
    concerns: concernsOf(made.id),
    at,
  })
  return { ...account, waits: true }
}
const ALONE = 'HD-'
const WAITING = `/activity/integral/list?tab=grants&state=${GrantState.waiting}`
const concernsOf = (id: string) => `points-grant:${id}`
const LATELY = {
  sql: `select coalesce(sum(points), 0)::int as lately from coupon.points_account_detail
    where enterprise_id = scope_enterprise() and account_id in (select id from coupon.points_account where enterprise_id = scope_enterprise() and $1 in (id, merged_into)) and at > $2::timestamptz - interval '30 days' and biz_no ^@ '${ALONE}'`,
}
async function aloneLimit(tx: Tx): Promise<number> {
  const [set] = await run<{ alone: number }>(tx, { sql: 'select alone from coupon.points_limit where enterprise_id = scope_enterprise()' }, [])
  return set?.alone ?? ALONE_POINTS
}
const SET_LIMIT = { sql: 'insert into coupon.points_limit (alone) values ($1) on conflict (enterprise_id) do update set alone = excluded.alone' }

/** Locks the account before the grants asked for it, as merging two accounts does. */
async function held(tx: Tx, { id, version }: { id: string; version: number }): Promise<{ account: Account; found: Grant }> {
  const about = await find(tx, grants, id)
  if (!about) throw NotFound()
  const account = await lockAccount(tx, about.accountId)
  const found = await lockRow(tx, grants, { id, version })
  if (found.state !== GrantState.waiting) throw IllegalMove({ state: found.state })
  return { account, found }
}
function refuseOwn({ applicantId }: Grant, { userId }: Person): void {
  if (applicantId === userId) throw OwnGrant()
}
async function decide(tx: Tx, found: Grant, state: Grant['state'], { userId, userName }: Person, at: Instant, verdict?: string): Promise<Grant> {
  await recall(tx, concernsOf(found.id), at)
  return setRow(
    tx,
    grants,
    found,
    { state, approverId: userId as Grant['approverId'], approverName: userName, verdict: verdict ?? null, decidedAt: at },
    at,
  )
}
