import { run, type Tx } from '../../../../platform/server/database.ts'
import type { NamedPlace, Nowhere } from '../../../fee/server/api.ts'

/** The answer to `fee.nowhere`: the park that is named, and the area of it, have to be there. */
export async function notHere(tx: Tx, { parkCode = null, areaCode = null }: NamedPlace): Promise<Nowhere[]> {
  const [found] = await run<{ park: boolean; area: boolean }>(tx, { sql: THERE }, [parkCode, areaCode])
  return [...(parkCode === null || found!.park ? [] : ['parkCode' as const]), ...(areaCode === null || found!.area ? [] : ['areaCode' as const])]
}
const THERE = `select exists (select from parking.park where enterprise_id = scope_enterprise() and park_code = $1::text and not deleted) as park,
  exists (select from parking.area where enterprise_id = scope_enterprise() and park_code = $1::text and area_code = $2::text and not deleted) as area`
