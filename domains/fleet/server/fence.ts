import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Fence, fence, FenceEvent, fenceEventSearch, FenceLine, FENCES_MAX, fenceSearch } from '../contract/fence.ts'
import { VehicleStatus } from '../contract/vehicle.ts'
import { refuseArea } from './area.ts'
import { flagFences } from './fencing.ts'
import { wasThere } from './wasThere.ts'
import './tables.ts'

type Row = Of<typeof Fence>
const rows = rowsOver(Fence, 'fleet.fence', Object.keys(Fence.properties) as (keyof Row)[])
const lines = listOver(FenceLine, 'fleet.fenceLine', fenceSearch)
const events = listOver(FenceEvent, 'fleet.fenceEventLine', fenceEventSearch)
const SameName = refusal(
  'fleet.fence-exists',
  42340,
  '已有名为「{name}」的围栏，请换一个名称',
  'A fence named “{name}” already exists: choose another name',
)
const NoVehicle = refusal(
  'fleet.fence-vehicle',
  42341,
  '所选车辆不存在或已报废，请重新选择',
  'A chosen vehicle does not exist or is scrapped: choose again',
  422,
)
const FenceUsed = refusal(
  'fleet.fence-used',
  42342,
  '该围栏已有进出记录，不能删除；不再使用时请停用',
  'This fence has recorded crossings and cannot be deleted: disable it instead',
)
const TooMany = refusal(
  'fleet.fences-too-many',
  42343,
  '电子围栏最多 {most} 个，请先删除或合并',
  'There can be {most} fences at most: delete or merge some first',
)

export const calls = serve(fence, {
  query: ({ tx, input }) => page(tx, lines, input),
  async add({ tx, input, at }) {
    refuseArea(input.area)
    await refuseNames(tx, input)
    const [{ n } = { n: 0 }] = await run<{ n: number }>(
      tx,
      { sql: 'select count(*)::int as n from fleet.fence where enterprise_id = scope_enterprise()' },
      [],
    )
    if (n >= FENCES_MAX) throw TooMany({ most: FENCES_MAX })
    return addRow(tx, rows, { ...input, area: json(input.area), drawnAt: at })
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    await run(tx, HELD, [])
    const found = await lockRow(tx, rows, { id, version })
    if (changes.area) refuseArea(changes.area)
    await refuseNames(tx, changes, id)
    const anew = DRAWN.some((field) => changes[field] !== undefined && JSON.stringify(changes[field]) !== JSON.stringify(found[field]))
    const row = await setRow(tx, rows, found, { ...changes, ...(changes.area && { area: json(changes.area) }), ...(anew && { drawnAt: at }) }, at)
    if (anew) await run(tx, FORGET, [id])
    await flagFences(tx, at)
    return row
  },
  async delete({ tx, input, at }) {
    await run(tx, HELD, [])
    const found = await lockRow(tx, rows, input)
    const used = await tx.selectFrom('fleet.fenceEventLine').select('id').where('fenceId', '=', found.id).limit(1).executeTakeFirst()
    if (used) throw FenceUsed()
    await removeRow(tx, rows, found, at)
    await flagFences(tx, at)
  },
  events: ({ tx, input }) => page(tx, events, input),
  export: exporting(fence.export, events),
  wasThere: ({ tx, input }) => wasThere(tx, input),
})
/** Keeps positions from being judged meanwhile: judging locks the terminal. */
const HELD = { sql: 'select 1 from fleet.terminal where enterprise_id = scope_enterprise() order by vehicle_id for update' }
/** With another area, or for others, it begins anew: nobody has crossed it yet. */
const DRAWN = ['area', 'vehicleIds', 'depts', 'status'] as const
const FORGET = { sql: 'delete from fleet.fence_state where enterprise_id = scope_enterprise() and fence_id = $1' }

async function refuseNames(tx: Tx, { name, vehicleIds = [] }: Partial<Pick<Row, 'name' | 'vehicleIds'>>, id?: string): Promise<void> {
  if (name !== undefined) {
    const sql = 'select 1 from fleet.fence where enterprise_id = scope_enterprise() and name = $1 and id is distinct from $2'
    if ((await run(tx, { sql }, [name, id ?? null])).length > 0) throw SameName({ name })
  }
  if (vehicleIds.length === 0) return
  const sql = `select count(*)::int as n from fleet.vehicle where enterprise_id = scope_enterprise() and id = any ($1::uuid[]) and status <> ${VehicleStatus.scrapped}`
  const [found] = await run<{ n: number }>(tx, { sql }, [vehicleIds])
  if (found!.n !== new Set(vehicleIds).size) throw NoVehicle()
}
