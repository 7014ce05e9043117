import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { QrStatus, QrTarget } from '../../parking/contract/qrcode.ts'
import { Gun, gun, type GunCode, gunSearch } from '../contract/gun.ts'
import { Pile } from '../contract/pile.ts'
import { partOf } from './pile.ts'
import './tables.ts'

const guns = listOver(Gun, 'charging.gun', gunSearch)
const GUNS_MAX = 2_000

export const calls = serve(gun, {
  tableList: ({ tx, input }) => page(tx, guns, input),
  export: exporting(gun.export, guns),
  list: async ({ tx, input }) => (await page(tx, guns, { ...input, limit: GUNS_MAX, queryMode: 'rows' })).records,
  ofPiles: ({ tx, input }) => withGuns(tx, input),
})

async function withGuns(tx: Tx, { stationId, equipmentId, connectorId }: { stationId?: string; equipmentId?: string; connectorId?: string }) {
  const found = await run<Of<typeof GunCode>>(tx, GUNS, [stationId ?? null, equipmentId ?? null, connectorId ?? null])
  const hosts = await run<Of<typeof Pile>>(tx, HOSTS, [
    stationId ?? null,
    equipmentId ?? null,
    connectorId ? found.map((gun) => gun.equipmentId) : null,
  ])
  return hosts.map((host) => ({
    ...(partOf(host, Pile.properties) as Of<typeof Pile>),
    guns: found.filter((gun) => gun.equipmentId === host.equipmentId),
  }))
}
const GUN_COLUMNS = Object.keys(Gun.properties)
  .map((name) => `g.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)
  .join(', ')
const GUNS = {
  sql: `select ${GUN_COLUMNS}, q.code as qr_code from charging.gun g left join parking.qrcode_shown q on q.enterprise_id = g.enterprise_id and q.target = ${QrTarget.connector} and q.target_code = g.connector_id and q.status = ${QrStatus.valid}
    where g.enterprise_id = scope_enterprise() and ($1::text is null or g.station_id = $1) and ($2::text is null or g.equipment_id = $2) and ($3::text is null or g.connector_id = $3) order by g.connector_id limit ${GUNS_MAX}`,
}
const HOSTS = {
  sql: `select * from charging.pile where enterprise_id = scope_enterprise() and ($1::text is null or station_id = $1) and ($2::text is null or equipment_id = $2) and ($3::text[] is null or equipment_id = any ($3)) order by equipment_id limit 1000`,
}
