import type { Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { type CallContext, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext } from '../../../platform/server/sheets/importing.ts'
import { adminCan, AdminStatus, Equipment, equipment, equipmentSearch, Pile, pile, type PileRow, pileSearch } from '../contract/pile.ts'
import { OperateAction, OperateKind, OperateLog, operateLog, operateSearch } from '../contract/operateLog.ts'
import { BY_CERTIFICATE } from './link.ts'
import { loadMoved } from './loadShare.ts'
import { tellInUse } from './pileCommand.ts'
import './tables.ts'

const PileUsed = refusal(
  'charging.pile-used',
  41330,
  '该桩已有充电订单，不能删除；请报废',
  'The pile has charging sessions and cannot be deleted: scrap it instead',
)
const NotIdle = refusal(
  'charging.pile-not-idle',
  41331,
  '只有待投用或已报废的桩可以删除',
  'Only a pile that is not in use yet or is scrapped can be deleted',
)
const HalfLink = refusal('charging.half-a-link', 41334, '通信编号和协议要一起填写', 'Enter the charge point id and the protocol together', 422)
const NoCertificates = refusal(
  'charging.no-certificates',
  41335,
  '安全级别 3 需要客户端证书：请先按运维手册配置 OCPP_CERT_HEADER',
  'Security profile 3 needs client certificates: set OCPP_CERT_HEADER first, as the operations manual says',
  422,
)
const OtherStation = refusal(
  'charging.pile-elsewhere',
  41314,
  '该桩属于充电站 {stationId}，不能换站；请停用后在新站另建',
  'This pile belongs to station {stationId} and cannot be moved: disable it and add it at the new station',
  422,
)
const piles = listOver(Pile, 'charging.pile', pileSearch)
const equipments = listOver(Equipment, 'charging.equipment', equipmentSearch)
const logs = listOver(OperateLog, 'charging.operateLog', operateSearch)
const NoStation = refusal(
  'charging.sheet-station',
  41399,
  '没有充电站「{stationId}」，请核对编号，或先新增该站',
  'There is no station “{stationId}”: check its id, or add the station first',
  422,
)
type EquipmentRow = Of<typeof Equipment>
type Written = Partial<EquipmentRow>

export const calls = [
  ...serve(equipment, {
    tableList: ({ tx, input }) => page(tx, equipments, input),
    save: (context) => save(context, context.input),
  }),
  ...serve(pile, {
    query: ({ tx, input }) => page(tx, piles, input),
    export: exporting(pile.export, piles),
    import: importing(pile.import, { row: importRow, columns: { 'charging.sheet-station': 'stationId', 'charging.pile-elsewhere': 'stationId' } }),
    async saveInfo(context) {
      const made = await save(context, context.input)
      if ((made.chargePointId === null) !== (made.protocol === null)) throw HalfLink()
      return made
    },
    async del({ tx, input, at }) {
      const found = await lockRow(tx, equipments, input)
      if (found.adminStatus !== AdminStatus.waiting && found.adminStatus !== AdminStatus.scrapped) throw NotIdle()
      const [used] = await run(tx, { sql: 'select 1 from charging.charge where enterprise_id = scope_enterprise() and equipment_id = $1 limit 1' }, [
        found.equipmentId,
      ])
      if (used) throw PileUsed()
      await run(tx, { sql: 'delete from charging.connector where enterprise_id = scope_enterprise() and equipment_id = $1' }, [found.equipmentId])
      await removeRow(tx, equipments, found, at)
    },
    async updateStatus({ tx, input: { id, status, reason }, actor, at }) {
      await because(tx, reason)
      const found = await lockRow(tx, equipments, { id })
      // Scrapping goes by an approval of maintenance.
      if (!Object.values(adminCan).some((move) => move(found.adminStatus) === status)) throw IllegalMove({ adminStatus: found.adminStatus })
      const made = await setRow(tx, equipments, found, { adminStatus: status }, at)
      await loadMoved(tx, { equipmentId: made.equipmentId })
      await logged(tx, made, {
        kind: OperateKind.status,
        action: OperateAction.updateStatus,
        who: actor.userName,
        reason,
        before: { adminStatus: found.adminStatus },
        after: { adminStatus: status },
        ...(await tellInUse(tx, made, { from: found.adminStatus, to: status, byName: actor.userName, reason })),
        at,
      })
      return made
    },
  }),
  ...serve(operateLog, { query: ({ tx, input }) => page(tx, logs, input) }),
]

type Saving = Pick<CallContext<unknown>, 'tx' | 'actor' | 'at' | 'house'>
/** A new pile, or what is changed of one. */
async function save(
  { tx, actor: { userName: who }, at, house }: Saving,
  { id, version, equipmentId, stationId, ...changes }: Written,
): Promise<EquipmentRow> {
  if (changes.securityProfile === BY_CERTIFICATE && house.config.pileCertHeader === undefined) throw NoCertificates()
  if (id) {
    const found = await lockRow(tx, equipments, { id, version })
    const made = await setRow(tx, equipments, found, changes, at)
    await loadMoved(tx, { equipmentId: made.equipmentId })
    await logged(tx, made, {
      kind: OperateKind.data,
      action: OperateAction.save,
      who,
      reason: null,
      before: partOf(found, changes),
      after: changes,
      at,
    })
    return made
  }
  const { equipmentName, equipmentType, power } = changes
  if (!equipmentId || !stationId || !equipmentName || !equipmentType || !power)
    throw BadInput({ zh: '请填写桩 ID、名称、充电站、类型和功率', en: 'enter the pile’s id, name, station, type and power' })
  const [station] = await run<{ parkCode: string }>(
    tx,
    { sql: 'select park_code from charging.station where enterprise_id = scope_enterprise() and station_id = $1' },
    [stationId],
  )
  if (!station) throw NotFound({ stationId })
  const made = await addRow(tx, equipments, { ...changes, equipmentId, stationId, parkCode: station.parkCode } as never)
  await logged(tx, made, { kind: OperateKind.data, action: OperateAction.add, who, reason: null, before: null, after: changes, at })
  return made
}
/** A row of a sheet by the rules of the form. */
async function importRow(context: RowContext<Of<typeof PileRow>>): Promise<Outcome> {
  const { tx, row } = context
  const { equipmentId, stationId, ...told } = row
  const [there] = await run<{ id: EquipmentRow['id'] }>(
    tx,
    { sql: 'select id from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1' },
    [equipmentId],
  )
  const found = there && (await lockRow(tx, equipments, there))
  if (found && found.stationId !== stationId) throw OtherStation({ stationId: found.stationId })
  const { chargePointId, protocol } = { ...found, ...told }
  if (((chargePointId ?? null) === null) !== ((protocol ?? null) === null)) throw HalfLink()
  if (!found) {
    const known = await run(tx, { sql: 'select from charging.station where enterprise_id = scope_enterprise() and station_id = $1' }, [stationId])
    if (known.length === 0) throw NoStation({ stationId })
    await save(context, row as Written)
    return 'added'
  }
  if (Object.entries(told).every(([key, value]) => value === (found as Record<string, unknown>)[key])) return 'same'
  await save(context, { id: found.id, ...told } as Written)
  return 'changed'
}
export const partOf = (row: object, keys: object) => Object.fromEntries(Object.keys(keys).map((key) => [key, (row as Record<string, unknown>)[key]]))

interface Operated {
  kind: number
  action: string
  who: string
  reason: string | null
  params?: unknown
  before?: unknown
  after?: unknown
  commandState?: string | null
  at: Instant
}
/** A line of what was done to a pile. */
export const logged = async (
  tx: Tx,
  { equipmentId, parkCode }: Pick<EquipmentRow, 'equipmentId' | 'parkCode'>,
  { kind, action, who, reason, params = null, before = null, after = null, commandState = null, at }: Operated,
): Promise<string> => {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const [made] = await run<{ id: string }>(
    tx,
    {
      sql: 'insert into charging.operate_log (equipment_id, park_code, kind, action, who, at, reason, params, before, after, command_state) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id',
    },
    [equipmentId, parkCode, kind, action, who, at, reason, json(params), json(before), json(after), commandState],
  )
  return made!.id
}
