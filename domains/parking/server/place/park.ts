import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { because, historyOf } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { addRow, lockRow, onlyFields, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { devicesOf, type Placed } from '../../../device/server/api.ts'
import { isUnpaidIn } from '../../../settlement/server/api.ts'
import { holdRegion } from '../../../system/server/api.ts'
import { BAY_FIELDS, type BayCounts, bayFaults } from '../../contract/bays.ts'
import { Park, park, ParkChoice, type ParkDevice, parkSearch, statusCan, UseStatus } from '../../contract/park.ts'
import { beginEmergency, endEmergency, holdLanes } from '../lane/emergency.ts'
import type { ParkRow } from '../lane/lane.ts'
import { insideOf, insidePark, occupancyOf, roomIn } from './occupancy.ts'
import { parkHeld, parkTopic } from '../questions.ts'
import '../tables.ts'
import { paired } from '../../../../platform/contract/said.ts'
import { PayState, SessionStatus } from '../../contract/stay.ts'

const InUse = refusal('parking.park-in-use', 40011, '不能删除：{zh}', 'It cannot be deleted: {en}')
const Uneven = refusal('parking.bays-uneven', 40887, '{zh}；请改正后再保存', '{en}; correct it and save again', 422)

export const parks = listOver(Park, 'parking.park', parkSearch, { marked: true })
const shown = onlyFields(Park)

/** A region in which a park of any enterprise lies stays. */
export async function parksHold(tx: Tx, { code }: { code: string }): Promise<{ zh: string; en: string } | undefined> {
  const [found] = await run<{ used: boolean }>(tx, { sql: 'select parking.region_is_used($1) as used' }, [code])
  return found?.used ? { zh: '有车场位于该区划', en: 'a car park lies in this region' } : undefined
}

/** Those of some codes that are the codes of parks. */
export async function parksAmong(tx: Tx, { parkCodes }: { parkCodes: readonly string[] }): Promise<string[]> {
  const sql = 'select park_code from parking.park where enterprise_id = scope_enterprise() and not deleted and park_code = any ($1)'
  return (await run<{ parkCode: string }>(tx, { sql }, [parkCodes])).map(({ parkCode }) => parkCode)
}

export const calls = serve(park, {
  async queryPage({ tx, input }) {
    const found = await page(tx, parks, input)
    return { ...found, records: await withOccupancy(tx, found.records) }
  },
  async queryList({ tx, input }) {
    let asked = tx.selectFrom('parking.park').select(CHOICE).where('deleted', '=', false).orderBy('parkCode').limit(CHOICES_MAX)
    if (input.pType !== undefined) asked = asked.where('pType', '=', input.pType)
    if (input.subType !== undefined) asked = asked.where('subType', '=', input.subType)
    if (input.status !== undefined) asked = asked.where('status', '=', input.status)
    if (input.name !== undefined) asked = asked.where('name', 'ilike', `%${input.name.replace(/[\\%_]/g, '\\$&')}%`)
    return (await asked.execute()).map((one) => ({ ...one, ptype: one.pType }))
  },
  queryDetail: async ({ tx, input }) => (await withOccupancy(tx, [await parkOf(tx, input.parkCode)]))[0]!,
  async add({ tx, input }) {
    refuseUneven(input)
    await holdRegion(tx, input.regionCode)
    return addRow(tx, parks, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, parks, { id, version })
    // A change that touches no bay count does not need those of an older record to agree.
    if (BAY_FIELDS.some((name) => changes[name] !== undefined && changes[name] !== found[name])) refuseUneven({ ...found, ...changes })
    if (changes.regionCode && changes.regionCode !== found.regionCode) await holdRegion(tx, changes.regionCode)
    return setPark(tx, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, parks, input)
    await refuseInUse(tx, found.parkCode)
    await removeRow(tx, parks, found, at)
  },
  async updateStatus({ tx, input, at }) {
    if (input.reason) await because(tx, input.reason)
    const found = await lockRow(tx, parks, input)
    const status = input.status === UseStatus.inUse ? statusCan.enable(found.status) : statusCan.disable(found.status)
    if (status === undefined) throw IllegalMove({ status: found.status })
    return setPark(tx, found, { status }, at)
  },
  async history({ tx, input }) {
    const found = await parkOf(tx, input.parkCode)
    const changes = await historyOf(tx, 'parking.park', found.id)
    return changes.map(({ id, at, authorName, via, event, before, after, reason }) => ({
      id,
      at,
      authorName,
      via,
      entity: 'parking.park',
      event,
      before,
      after,
      reason,
    }))
  },
  async openAll({ tx, input, at, actor }) {
    await because(tx, input.reason)
    await holdLanes(tx, input.parkCode)
    const found = await parkOf(tx, input.parkCode)
    if ((found.openAllFrom !== null) === input.open) throw IllegalMove({ openAllFrom: found.openAllFrom })
    const row = await setPark(tx, found, input.open ? { openAllFrom: at, openAllBy: actor.userName } : { openAllFrom: null, openAllBy: null }, at)
    if (input.open) await beginEmergency(tx, row, at)
    else await endEmergency(tx, found.parkCode, at)
    return row
  },
  async parkInfo({ tx, input }) {
    let asked = tx.selectFrom('parking.park').selectAll().where('deleted', '=', false).orderBy('parkCode').limit(CHOICES_MAX)
    if (input.parkCode !== undefined) asked = asked.where('parkCode', '=', input.parkCode)
    const rows = await asked.execute()
    const [inside, devices] = await Promise.all([
      insideOf(
        tx,
        rows.map(({ parkCode }) => parkCode),
      ),
      Promise.all(rows.map(({ parkCode }) => devicesOf(tx, parkCode))),
    ])
    return rows.map((row, n) => ({
      ...choiceOf(row),
      ...occupancyOf(row, inside.get(row.parkCode)),
      totalBays: row.totalBays,
      remainderOffset: row.remainderOffset,
      devices: devices[n]!.map(deviceShown),
    }))
  },
  async editRemainder({ tx, input, at }) {
    await because(tx, input.reason)
    const found = await parkOf(tx, input.parkCode)
    const inside = await insidePark(tx, found.parkCode)
    const changed = await setPark(tx, found, { remainderOffset: input.remainder - roomIn({ ...found, remainderOffset: 0 }, inside) }, at)
    return occupancyOf(changed, inside)
  },
})
function refuseUneven(counts: BayCounts): void {
  const [fault] = bayFaults(counts)
  if (fault) throw Uneven({ zh: fault.says[0], en: fault.says[1], [fault.at]: counts[fault.at] })
}
/** A picker that needs more than this needs a search. */
const CHOICES_MAX = 500
const CHOICE = Object.keys(ParkChoice.properties).filter((name) => name !== 'ptype') as Exclude<keyof Of<typeof ParkChoice>, 'ptype'>[]
const choiceOf = onlyFields(ParkChoice)

/** @throws NotFound when there is none, or the scope hides it. */
export async function parkOf(tx: Tx, parkCode: string): Promise<ParkRow> {
  const found = await tx.selectFrom('parking.park').selectAll().where('parkCode', '=', parkCode).where('deleted', '=', false).executeTakeFirst()
  if (!found) throw NotFound({ parkCode })
  return shown(found)
}
export async function withOccupancy<T extends ParkRow>(tx: Tx, rows: readonly T[]) {
  const inside = await insideOf(
    tx,
    rows.map(({ parkCode }) => parkCode),
  )
  return rows.map((row) => ({ ...row, ptype: row.pType, ...occupancyOf(row, inside.get(row.parkCode)) }))
}

/** Changes a park, and tells the pages that watch it. */
export async function setPark(tx: Tx, found: ParkRow, changes: Partial<ParkRow> & { filingBy?: string }, at: Instant): Promise<ParkRow> {
  const [row] = await Promise.all([
    setRow(tx, parks, found, changes as Partial<ParkRow>, at),
    tell(tx, parkTopic, { park: found.parkCode, ids: [found.parkCode] }),
  ])
  return row
}

/** Refuses to delete a park that is still in use: cars, money owed, devices, and what other domains keep there (valid passes, leases, staff). */
async function refuseInUse(tx: Tx, parkCode: string): Promise<void> {
  const [inside, stay, unpaid, devices, held] = await Promise.all([
    insidePark(tx, parkCode),
    tx
      .selectFrom('parking.stay')
      .select('id')
      .where('parkCode', '=', parkCode)
      .where('thirdPlatform', 'is', null)
      .where('payState', 'in', [PayState.toPay, PayState.owed])
      .where('status', '<>', SessionStatus.void)
      .limit(1)
      .executeTakeFirst(),
    isUnpaidIn(tx, parkCode),
    devicesOf(tx, parkCode),
    parkHeld.ask(tx, { parkCode }),
  ])
  if (inside.present) throw InUse({ zh: '有在场车辆', en: 'cars are inside' })
  if (stay || unpaid) throw InUse({ zh: '有未支付订单', en: 'orders are unpaid' })
  if (devices.length) throw InUse({ zh: '有绑定的设备', en: 'devices are bound to the park' })
  for (const { answer } of held) throw InUse(answer)
}

const KINDS: Record<number, string> = { 1: paired(['道闸', 'Barrier']), 2: paired(['相机', 'Camera']), 3: paired(['LED 屏', 'LED display']) }
const deviceShown = ({ sn, type, gateCode, online }: Placed): Of<typeof ParkDevice> => ({
  sn,
  kind: KINDS[type] ?? paired(['其他', 'Other']),
  gateCode,
  online,
})
