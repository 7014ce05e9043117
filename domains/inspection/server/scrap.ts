import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { sendInner } from '../../message/server/api.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { KeptScrap, Scrap, scrap, scrapCan, scrapSearch, ScrapState, SECOND_FROM_FEN } from '../contract/scrap.ts'
import { inTurn, kept as keptRepairs, moveRepair, openRepair } from './repairRow.ts'
import { ScrappedAlready } from './repair.ts'
import { scrapThing, thingOf } from './repairThing.ts'
import { scrapYear } from './scrapYear.ts'
import './tables.ts'

const InUse = refusal(
  'inspection.scrap-in-use',
  42060,
  '设备正在使用，请先将其转为故障或库存（充电桩先停用）',
  'The device is in use: set it to faulty or in stock first (disable a pile first)',
  422,
)
const AskedAlready = refusal('inspection.scrap-asked', 42061, '该设备已有待审的报废申请', 'This device already has a scrap request awaiting approval')
const NotOneself = refusal(
  'inspection.own-scrap',
  42062,
  '申请人与各级审批人须为不同的人',
  'The applicant and the approvers at each level must be different people',
  403,
)
const HeadNeeded = refusal(
  'inspection.scrap-head',
  42063,
  '原值 1 万元及以上须由企业负责人复审',
  'From ¥10,000, the head of the enterprise must also approve',
  403,
)
const WhyNeeded = refusal('inspection.scrap-opinion', 42064, '驳回须填写意见', 'Enter the reason for rejecting', 422)
const NotYours = refusal('inspection.scrap-not-yours', 42065, '只有申请人可以撤回', 'Only the applicant can withdraw it', 403)
const WorthMore = refusal('inspection.scrap-worth', 42066, '残值不能大于原值', 'Residual value cannot exceed original value', 422)
const AllParks = refusal(
  'inspection.scrap-all-parks',
  42067,
  '批准后设备离开车场，须由可管理全部车场的人审批',
  'Approval removes the device from its car park: it must be decided by somebody who manages all car parks',
  403,
)

const scraps = listOver(Scrap, 'inspection.scrap', scrapSearch)
const kept = listOver(KeptScrap, 'inspection.scrap', scrapSearch)
type Kept = Of<typeof KeptScrap>
const shown = onlyFields(Scrap) as (row: Kept) => Of<typeof Scrap>
const SCREEN = '/operation/maintain/scrapRecord'

export const calls = serve(scrap, {
  query: ({ tx, input }) => page(tx, scraps, input),
  async one({ tx, input: { id } }) {
    const found = await find(tx, scraps, id)
    if (!found) throw NotFound()
    return found
  },
  export: exporting(scrap.export, scraps),
  apply: async ({ tx, input, actor, at }) => shown(await apply(tx, input, actor, at)),
  decide: async ({ tx, input, actor, at }) => shown(await decide(tx, input, actor, false, at)),
  confirm: async ({ tx, input, actor, at }) => shown(await decide(tx, input, actor, true, at)),
  async withdraw({ tx, input, actor, at }) {
    const found = await lockRow(tx, kept, input)
    if (found.applicantId !== actor.userId) throw NotYours()
    return shown(await end(tx, found, 'withdraw', {}, at))
  },
  year: ({ tx, input, at }) => scrapYear(tx, input.year ?? Number(dayOf(at).slice(0, 4))),
})

export async function apply(
  tx: Tx,
  input: (typeof scrap.apply)['input']['~unsafe'],
  { userId, userName }: Pick<Actor, 'userId' | 'userName'>,
  at: Instant,
): Promise<Kept> {
  if (input.residualFen > input.originalFen) throw WorthMore()
  await inTurn(tx, input.deviceNo)
  const { useStatus, deviceName, deviceType, parkCode } = await thingOf(tx, input.deviceNo)
  if (useStatus === DeviceUse.scrapped) throw ScrappedAlready({ deviceNo: input.deviceNo })
  if (useStatus === DeviceUse.inUse) throw InUse()
  if ((await run(tx, { sql: WAITING }, [input.deviceNo])).length > 0) throw AskedAlready()
  const [spent] = await run<{ fen: number }>(tx, { sql: SPENT }, [input.deviceNo])
  const by = { applicantId: userId as Kept['applicantId'], applicantName: userName, createdAt: at, updatedAt: at }
  const made = (await addRow(tx, kept, { ...input, deviceName, deviceType, parkCode, repairFen: spent!.fen as Kept['repairFen'], ...by })) as Kept
  await tell(tx, made, { capability: scrap.decide.needs, parkCode: made.parkCode }, ['有报废申请待审', 'A scrap request is awaiting approval'], at)
  return made
}
const WAITING = `select 1 from inspection.scrap where enterprise_id = scope_enterprise() and device_no = $1 and state in (${ScrapState.waiting}, ${ScrapState.second})`
const SPENT = 'select coalesce(sum(cost_fen), 0)::bigint as fen from inspection.repair where enterprise_id = scope_enterprise() and device_no = $1'

/** The asset manager, then the head where it was dear; nobody twice, and never the applicant. */
async function decide(
  tx: Tx,
  { id, version, approve, opinion }: (typeof scrap.decide)['input']['~unsafe'],
  actor: Actor,
  asHead: boolean,
  at: Instant,
): Promise<Kept> {
  const { deviceNo } = await lookedAt(tx, id)
  // Reports and repairs of the device wait here, in the order in which they lock.
  await inTurn(tx, deviceNo)
  const found = await lockRow(tx, kept, { id, version })
  if (scrapCan.refuse(found.state) === undefined) throw IllegalMove({ state: found.state, scrapNo: found.scrapNo })
  if (actor.userId === found.applicantId || actor.userId === found.managerId) throw NotOneself()
  const isSecond = found.state === ScrapState.second
  if (isSecond && !asHead) throw HeadNeeded()
  if (asHead && !isSecond) throw IllegalMove({ state: found.state, scrapNo: found.scrapNo })
  if (!approve && !opinion) throw WhyNeeded()
  const me = actor.userId as Kept['managerId']
  const by = isSecond ? { headId: me, headName: actor.userName, headedAt: at } : { managerId: me, managerName: actor.userName, managedAt: at }
  const said = { ...by, ...(opinion && { opinion }) }
  if (!approve) return end(tx, found, 'refuse', said, at)
  if (!isSecond && found.originalFen >= SECOND_FROM_FEN) {
    const passed = await setRow(tx, kept, found, { ...said, state: scrapCan.pass(found.state)! }, at)
    await tell(
      tx,
      passed,
      { capability: scrap.confirm.needs, parkCode: passed.parkCode },
      ['有报废申请待复审', 'A scrap request is awaiting the head’s approval'],
      at,
    )
    return passed
  }
  if (actor.scope.parks !== null) throw AllParks()
  return carryOut(tx, await end(tx, found, 'approve', said, at), actor.userName, at)
}
async function lookedAt(tx: Tx, id: string): Promise<Of<typeof Scrap>> {
  const found = await find(tx, scraps, id)
  if (!found) throw NotFound()
  return found
}

/** At once with the approval: its open repair ends, and the device lets go of everything. */
async function carryOut(tx: Tx, approved: Kept, by: string, at: Instant): Promise<Kept> {
  const {
    deviceNo,
    scrapNo,
    deviceName,
    deviceType,
    parkCode,
    note,
    originalFen,
    repairFen,
    residualFen,
    months,
    applicantName,
    managerName,
    headName,
  } = approved
  const repair = await openRepair(tx, deviceNo)
  if (repair)
    await moveRepair(
      tx,
      await lockRow(tx, keptRepairs, { id: repair }),
      'scrap',
      { doneAt: at, reason: scrapNo },
      { at, by, byId: null, reason: scrapNo },
    )
  const thing = await thingOf(tx, deviceNo)
  if (thing.useStatus === DeviceUse.inUse) throw InUse()
  await scrapThing(tx, thing, { at, by })
  const approvers = [managerName, headName].filter(Boolean).join('、')
  await run(tx, { sql: RESULT }, [
    deviceNo,
    deviceName,
    deviceType,
    parkCode,
    at,
    applicantName,
    scrapNo,
    note,
    originalFen,
    repairFen,
    residualFen,
    months,
    approvers,
  ])
  return approved
}
const RESULT = `insert into inspection.result (result_type, device_no, device_name, device_type, park_code, at, who, from_no, reason, original_fen, repair_fen, residual_fen, months, approvers)
  values (3, $1, $2, $3, $4, $5, $6, $7, left($8, 200), $9, $10, $11, $12, $13)`

const ENDED = {
  approve: ['报废申请已批准', 'Your scrap request was approved'],
  refuse: ['报废申请被驳回', 'Your scrap request was rejected'],
  withdraw: undefined,
} as const
async function end(tx: Tx, found: Kept, move: keyof typeof ENDED, changes: Partial<Kept>, at: Instant): Promise<Kept> {
  const state = scrapCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state, scrapNo: found.scrapNo })
  const made = await setRow(tx, kept, found, { ...changes, state, doneAt: at }, at)
  if (ENDED[move]) await tell(tx, made, { custId: found.applicantId }, ENDED[move], at)
  return made
}
type To = Parameters<typeof sendInner>[1]['to']
const tell = (tx: Tx, { scrapNo, deviceName, id }: Kept, to: To, title: readonly [string, string], at: Instant) =>
  sendInner(tx, { to, title, body: [`${scrapNo} ${deviceName}`, `${scrapNo} ${deviceName}`], link: `${SCREEN}/${id}`, at })
