import { type Instant, type Of, pick } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { QrStatus, QrTarget } from '../../parking/contract/qrcode.ts'
import { Connector, connector, Gun, type GunCode, gunSearch } from '../contract/connector.ts'
import { Pile } from '../contract/pile.ts'
import { OperateAction, OperateKind } from '../contract/operateLog.ts'
import { OPEN } from './charge.ts'
import { loadMoved } from './loadShare.ts'
import { logged, partOf } from './pile.ts'
import './tables.ts'

const TooStrong = refusal(
  'charging.gun-too-strong',
  41332,
  '充电枪功率不能大于桩功率 {power} kW',
  'A connector’s power cannot exceed its pile’s {power} kW',
  422,
)
const Charging = refusal('charging.gun-charging', 41333, '正在充电，结束后才能修改功率', 'A car is charging: change the power after it ends')
const Voltages = refusal(
  'charging.gun-voltages',
  41317,
  '电压上限 {upper} V 低于电压下限 {lower} V，请核对铭牌',
  'The highest voltage, {upper} V, is below the lowest, {lower} V: check the nameplate',
  422,
)
const GunUsed = refusal(
  'charging.gun-used',
  41318,
  '该充电枪已有订单、故障或隐患记录，不能删除；请停用所在的桩或启停用充电枪',
  'This connector has sessions, faults or hazards and cannot be deleted: take it out of service instead',
)
const guns = listOver(Gun, 'charging.gun', gunSearch)
const connectors = listOver(Connector, 'charging.connector', gunSearch)
type Row = Of<typeof Connector>
const GUNS_MAX = 2_000

export const calls = serve(connector, {
  tableList: ({ tx, input }) => page(tx, guns, input),
  export: exporting(connector.export, guns),
  list: async ({ tx, input }) => (await page(tx, guns, { ...input, limit: GUNS_MAX, queryMode: 'rows' })).records,
  save: ({ tx, input, actor, at }) => saveGun(tx, input, { who: actor.userName, at }),
  async del({ tx, input, actor, at }) {
    const found = await lockRow(tx, connectors, input)
    if ((await run(tx, { sql: USED }, [found.connectorId])).length > 0) throw GunUsed()
    await removeRow(tx, connectors, found, at)
    await loadMoved(tx, { equipmentId: found.equipmentId })
    await note(tx, found, { action: OperateAction.deleteGun, before: partOf(found, PLATE), after: null, who: actor.userName, at })
  },
  ofPiles: ({ tx, input }) => withGuns(tx, input),
})
const USED = ['charge', 'fault', 'danger', 'start_refused']
  .map((table) => `(select 1 from charging.${table} where enterprise_id = scope_enterprise() and connector_id = $1 limit 1)`)
  .join(' union all ')

interface Done {
  who: string
  at: Instant
}
/** What a gun is, beside its place. */
const PLATE = pick(
  Connector,
  'connectorId',
  'connectorName',
  'connectorType',
  'voltageUpper',
  'voltageLower',
  'current',
  'power',
  'parkNo',
  'nationalStandard',
  'ocppConnectorNo',
  'evseId',
  'seatCode',
).properties
/** A line at its pile of what was done to a gun. */
const note = (tx: Tx, gun: Row, { action, before, after, ...done }: Done & { action: string; before: object | null; after: object | null }) =>
  logged(tx, gun, { kind: OperateKind.data, action, reason: null, params: { connectorId: gun.connectorId }, before, after, ...done })
function differs(found: Row, changes: Partial<Row>): Partial<Row> {
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => (value ?? null) !== (found[name as keyof Row] ?? null)))
}

async function saveGun(tx: Tx, { id, version, connectorId, equipmentId, ...changes }: Partial<Row>, done: Done): Promise<Row> {
  const found = id ? await lockRow(tx, connectors, { id, version }) : undefined
  const of = found?.equipmentId ?? equipmentId
  const [host] = await run<{ power: number; stationId: string; parkCode: string; equipmentId: string }>(
    tx,
    {
      sql: 'select power, station_id, park_code, equipment_id from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1',
    },
    [of ?? null],
  )
  if (!host) throw NotFound({ equipmentId: of })
  if ((changes.power ?? 0) > host.power) throw TooStrong({ power: host.power })
  const { voltageUpper: upper, voltageLower: lower } = { ...found, ...changes }
  if (upper !== undefined && lower !== undefined && upper < lower) throw Voltages({ upper, lower })
  const { power: _, ...place } = host
  if (!found) return addGun(tx, { ...place, ...changes, ...(connectorId && { connectorId }) }, done)
  if (changes.power !== undefined && changes.power !== found.power) {
    const [busy] = await run(
      tx,
      { sql: `select 1 from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and claimed and status in (${OPEN})` },
      [found.connectorId],
    )
    if (busy) throw Charging()
  }
  await loadMoved(tx, { equipmentId: found.equipmentId })
  const other = differs(found, changes)
  if (Object.keys(other).length > 0) await note(tx, found, { action: OperateAction.saveGun, before: partOf(found, other), after: other, ...done })
  return setRow(tx, connectors, found, changes, done.at)
}
async function addGun(tx: Tx, gun: Partial<Row>, done: Done): Promise<Row> {
  const { connectorId, connectorType, power, voltageUpper, voltageLower, current, ocppConnectorNo, equipmentId } = gun
  if (
    !connectorId ||
    !connectorType ||
    !power ||
    voltageUpper === undefined ||
    voltageLower === undefined ||
    current === undefined ||
    !ocppConnectorNo
  )
    throw BadInput({
      zh: '请填写充电枪 ID、类型、功率、电压、电流和桩内序号',
      en: 'enter the connector’s id, type, power, voltages, current and number',
    })
  await loadMoved(tx, { equipmentId: equipmentId! })
  const made = await addRow(tx, connectors, gun as never)
  await note(tx, made, { action: OperateAction.addGun, before: null, after: partOf(made, PLATE), ...done })
  return made
}

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
