import type { Found, Kind } from '../../../platform/server/record/kinds.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { allocation, Allocation } from '../contract/allocation.ts'
import { brand, Brand } from '../contract/brand.ts'
import { driver, Driver } from '../contract/driver.ts'
import { fence, Fence } from '../contract/fence.ts'
import { vehicle, Vehicle } from '../contract/vehicle.ts'
import { violation, Violation } from '../contract/violation.ts'
import { paired } from '../../../platform/contract/said.ts'

/** Records of the fleet that the search finds and follows. */
export const records: Kind[] = [
  { table: 'fleet.brand', entity: Brand, needs: brand.query.needs },
  { table: 'fleet.vehicle', entity: Vehicle, needs: vehicle.query.needs },
  { table: 'fleet.driver', entity: Driver, needs: driver.query.needs, find: drivers },
  { table: 'fleet.fence', entity: Fence, needs: fence.query.needs },
  { table: 'fleet.allocation', entity: Allocation, needs: allocation.query.needs },
  { table: 'fleet.violation', entity: Violation, needs: violation.query.needs, bin: { needs: violation.delete.needs } },
]

async function drivers(tx: Tx, words: string, most: number): Promise<Found[]> {
  const rows = await run<{ id: string; name: string; status: number }>(
    tx,
    { sql: 'select id, name from fleet.driver where enterprise_id = scope_enterprise() and name ^@ $1 order by name limit $2' },
    [words, most],
  )
  return rows.map(({ id, name }) => ({ key: id, title: name, detail: paired(Driver.label), path: `/car/driver?id=${id}` }))
}
