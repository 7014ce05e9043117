import type { Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { Area, area, type AreaNow, areaSearch } from '../../contract/area.ts'
import { Gate } from '../../contract/gate.ts'
import { insideAreas } from './occupancy.ts'
import { parkOf } from './park.ts'
import '../tables.ts'

type AreaRow = Of<typeof Area>
const HasParts = refusal('parking.area-in-use', 40801, '区域下还有{zh}，不能删除', 'The area still has {en} and cannot be deleted')
const areas = listOver(Area, 'parking.area', areaSearch, { marked: true })
const shown = onlyFields(Area)
const gateShown = onlyFields(Gate)

export const calls = serve(area, {
  async queryPage({ tx, input }) {
    const found = await page(tx, areas, input)
    return { ...found, records: await withOccupancy(tx, found.records) }
  },
  add: ({ tx, input }) => addRow(tx, areas, input),
  update: async ({ tx, input: { id, version, ...changes }, at }) => setRow(tx, areas, await lockRow(tx, areas, { id, version }), changes, at),
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, areas, input)
    await refuseParts(tx, found)
    await removeRow(tx, areas, found, at)
  },
  async regionDetail({ tx, input }) {
    const [park, found, gates] = await Promise.all([parkOf(tx, input.parkCode), areasOf(tx, input.parkCode), gatesOf(tx, input.parkCode)])
    const one = input.areaCode === undefined ? null : found.find(({ areaCode }) => areaCode === input.areaCode)
    if (one === undefined) throw NotFound({ areaCode: input.areaCode })
    const here = one ? gates.filter(({ areaFrom, areaTo }) => areaFrom === one.areaCode || areaTo === one.areaCode) : gates
    return { park, area: one && shown(one), areas: await withOccupancy(tx, found), gates: here }
  },
})

export const areasOf = async (tx: Tx, parkCode: string | undefined): Promise<AreaRow[]> => {
  let asked = tx.selectFrom('parking.area').selectAll().where('deleted', '=', false).orderBy('areaCode')
  if (parkCode !== undefined) asked = asked.where('parkCode', '=', parkCode)
  return (await asked.execute()).map(shown)
}
export const gatesOf = async (tx: Tx, parkCode: string | undefined): Promise<Of<typeof Gate>[]> => {
  let asked = tx.selectFrom('parking.gate').selectAll().where('deleted', '=', false).orderBy('gateCode')
  if (parkCode !== undefined) asked = asked.where('parkCode', '=', parkCode)
  return (await asked.execute()).map(gateShown)
}

/** An area counts its own cars and those of the areas inside of it. */
export async function withOccupancy(tx: Tx, rows: readonly AreaRow[]): Promise<Of<typeof AreaNow>[]> {
  const counts = new Map<string, Map<string | null, number>>()
  for (const parkCode of new Set(rows.map((row) => row.parkCode))) counts.set(parkCode, await insideAreas(tx, parkCode))
  const inside = (row: AreaRow): number =>
    (counts.get(row.parkCode)!.get(row.areaCode) ?? 0) +
    rows.filter((one) => one.parkCode === row.parkCode && one.parentArea === row.areaCode).reduce((sum, one) => sum + inside(one), 0)
  return rows.map((row) => {
    const presentCount = inside(row)
    return { ...row, presentCount, remainingBays: Math.max(0, row.totalBays - presentCount) }
  })
}

async function refuseParts(tx: Tx, { parkCode, areaCode }: AreaRow): Promise<void> {
  const [areas, gates, counts] = await Promise.all([areasOf(tx, parkCode), gatesOf(tx, parkCode), insideAreas(tx, parkCode)])
  if (areas.some(({ parentArea }) => parentArea === areaCode)) throw HasParts({ zh: '下级区域', en: 'inner areas' })
  if (gates.some(({ areaFrom, areaTo }) => areaFrom === areaCode || areaTo === areaCode)) throw HasParts({ zh: '通道', en: 'lanes' })
  if (counts.get(areaCode)) throw HasParts({ zh: '在场车辆', en: 'cars present' })
}
