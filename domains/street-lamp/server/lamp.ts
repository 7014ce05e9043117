import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext } from '../../../platform/server/sheets/importing.ts'
import { Lamp, lamp, LampLine, lampSearch } from '../contract/lamp.ts'
import './tables.ts'

type Row = Of<typeof Lamp>
const lamps = listOver(Lamp, 'lamp.lamp', lampSearch)
const lines = listOver(LampLine, 'lamp.lampLine', lampSearch)

const NumberTaken = refusal('lamp.lamp-number', 42225, '灯号 {lampNo} 已存在，请换一个灯号', 'Lamp {lampNo} already exists: choose another number')
const NoWiring = refusal('lamp.no-wiring', 42226, '没有回路 {wiringCode}，请核对编号', 'Circuit {wiringCode} does not exist: check its code', 422)
const HalfPlace = refusal('lamp.half-a-place', 42227, '经度和纬度须一起填写', 'Enter longitude and latitude together', 422)

type Written = Of<typeof lamp.add.input>
export const calls = serve(lamp, {
  query: ({ tx, input }) => page(tx, lines, input),
  async add({ tx, input, at }) {
    if (await numbered(tx, input.lampNo)) throw NumberTaken({ lampNo: input.lampNo })
    return addLamp(tx, input, at)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    await changeLamp(tx, await lockRow(tx, lamps, { id, version }), changes, at)
  },
  async delete({ tx, input, at }) {
    await removeRow(tx, lamps, await lockRow(tx, lamps, input), at)
  },
  import: importing(lamp.import, { row: importRow, columns: { 'lamp.no-wiring': 'wiringCode' } }),
  export: exporting(lamp.export, lines),
})

async function addLamp(tx: Tx, input: Written, at: Instant): Promise<Row> {
  refuseHalf({ lng: null, lat: null, ...input })
  await holdWiring(tx, input.wiringCode)
  const made = await addRow(tx, lamps, { ...input, createdAt: at, updatedAt: at })
  await run(tx, { sql: 'insert into lamp.lamp_now (lamp_id) values ($1)' }, [made.id])
  return made
}
async function changeLamp(tx: Tx, found: Row, changes: Partial<Written>, at: Instant): Promise<void> {
  refuseHalf({ ...found, ...changes })
  if (changes.wiringCode !== undefined && changes.wiringCode !== found.wiringCode) {
    await holdWiring(tx, changes.wiringCode)
    // A state reported through another box does not hold here.
    await run(tx, { sql: UNKNOWN }, [found.id])
  }
  await setRow(tx, lamps, found, changes, at)
}
async function importRow({ tx, row, at }: RowContext<Written>): Promise<Outcome> {
  const known = await numbered(tx, row.lampNo)
  if (!known) {
    await addLamp(tx, row, at)
    return 'added'
  }
  const found = await lockRow(tx, lamps, { id: known })
  const { lampNo: _, ...changes } = row
  if ((Object.keys(changes) as (keyof typeof changes)[]).every((name) => changes[name] === found[name])) return 'same'
  await changeLamp(tx, found, changes, at)
  return 'changed'
}
async function numbered(tx: Tx, lampNo: string): Promise<string | undefined> {
  const [found] = await run<{ id: string }>(tx, { sql: 'select id from lamp.lamp where enterprise_id = scope_enterprise() and lamp_no = $1' }, [
    lampNo,
  ])
  return found?.id
}
/** Locks a circuit while a lamp is added to it. @throws NoWiring */
async function holdWiring(tx: Tx, wiringCode: string): Promise<void> {
  const [found] = await run(tx, { sql: 'select 1 from lamp.wiring where enterprise_id = scope_enterprise() and wiring_code = $1 for share' }, [
    wiringCode,
  ])
  if (!found) throw NoWiring({ wiringCode })
}
function refuseHalf({ lng, lat }: { lng?: number | null | undefined; lat?: number | null | undefined }): void {
  if (((lng ?? null) === null) !== ((lat ?? null) === null)) throw HalfPlace()
}
const UNKNOWN =
  'update lamp.lamp_now set dim = null, faulty = false, p = null, read_at = null where enterprise_id = scope_enterprise() and lamp_id = $1'

/** Takes the states of single lamps, as their box passes them on; lamps of other boxes are ignored. */
export async function lampsSaid(tx: Tx, boxCode: string, said: readonly LampSaid[], at: Instant): Promise<void> {
  if (said.length > 0) await run(tx, { sql: SAID }, [boxCode, JSON.stringify(said), at])
}
export interface LampSaid {
  lamp: string
  dim: number | null
  faulty: boolean
  p: number | null
  hours: number | null
}
// An older message says nothing of now.
const SAID = `update lamp.lamp_now n set dim = coalesce(r.dim, n.dim), faulty = r.faulty, p = coalesce(r.p, n.p), life_hours = coalesce(r.hours, n.life_hours), read_at = $3::timestamptz
  from jsonb_to_recordset($2::jsonb) as r(lamp text, dim smallint, faulty boolean, p float8, hours integer) join lamp.lamp l on l.enterprise_id = scope_enterprise() and l.lamp_no = r.lamp
    join lamp.wiring w on w.enterprise_id = l.enterprise_id and w.wiring_code = l.wiring_code and w.box_code = $1
  where n.enterprise_id = l.enterprise_id and n.lamp_id = l.id and (n.read_at is null or n.read_at <= $3)`
