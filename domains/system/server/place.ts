import type { Of } from '../../../platform/contract/field.ts'
import type { Named } from '../../../platform/contract/sheet.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Place, place } from '../contract/place.ts'
import './tables.ts'

/** A picker that needs more than this needs a search. */
const CHOICES_MAX = 500
const FIELDS = Object.keys(Place.properties) as (keyof Of<typeof Place>)[]

export const calls = serve(place, {
  async queryList({ tx, input }) {
    let asked = tx.selectFrom('system.place').select(FIELDS).where('deleted', '=', false).orderBy('parkCode').limit(CHOICES_MAX)
    if (input.pType !== undefined) asked = asked.where('pType', '=', input.pType)
    if (input.subType !== undefined) asked = asked.where('subType', '=', input.subType)
    if (input.status !== undefined) asked = asked.where('status', '=', input.status)
    if (input.name !== undefined) asked = asked.where('name', 'ilike', `%${input.name.replace(/[\\%_]/g, '\\$&')}%`)
    return (await asked.execute()).map((one) => ({ ...one, ptype: one.pType }))
  },
})

/** Returns those of some codes that are codes of places that the caller sees. */
export async function placesAmong(tx: Tx, codes: readonly string[]): Promise<string[]> {
  const sql = 'select park_code from system.place where enterprise_id = scope_enterprise() and not deleted and park_code = any ($1)'
  return (await run<{ parkCode: string }>(tx, { sql }, [codes])).map(({ parkCode }) => parkCode)
}

/** The answer to `sheet.names`: places that the reader sees, deleted ones too, because older rows go on naming them. */
export async function placeNames(tx: Tx, names: Named): Promise<Record<string, string> | undefined> {
  if (names !== 'park') return undefined
  const places = await tx.selectFrom('system.place').select(['parkCode', 'name']).execute()
  return Object.fromEntries(places.map(({ parkCode, name }) => [parkCode, name]))
}
