import type { Id, Of } from '../../../platform/contract/field.ts'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { searchOf } from '../../../platform/contract/call.ts'
import { DeviceType, DeviceUse, WarningType } from '../../device/contract/device.ts'
import { command, lastCommands, type Placed, recover, statusOf } from '../../device/server/api.ts'
import { type Dome, dome, Preset, presetWarning } from '../contract/dome.ts'
import { IllegalSource, IllegalState } from '../contract/illegalStop.ts'
import './tables.ts'

const NoDome = refusal(
  'roadside.no-dome',
  41129,
  '设备「{deviceNo}」不是球机，或没有安装位置；请选择球机并填写位置',
  'Device “{deviceNo}” is not a dome camera, or has no location: choose a dome camera and enter its location',
  422,
)

const NotInUse = refusal(
  'roadside.dome-not-in-use',
  41140,
  '球机「{deviceNo}」未投用，请先在设备管理中投用',
  'Dome camera “{deviceNo}” is not in use: put it into use under Devices first',
)

const presetSearch = searchOf(Preset, { deviceNo: 'equals', presetNo: 'equals' }, { sort: ['presetNo'], ascending: true })
const presets = listOver(Preset, 'roadside.preset', presetSearch)
/** A camera turns to so many places at most. */
const PRESETS_MOST = 255

export const calls = serve(dome, {
  async list({ tx, input, at }) {
    const domes = await run<Omit<Of<typeof Dome>, 'told'>>(tx, DOMES, [input.parkCode ?? null, startOf(dayOf(at))])
    const told = await lastCommands(
      tx,
      domes.map(({ deviceNo }) => deviceNo),
      PATROL,
    )
    return domes.map((one) => ({ ...one, told: told.get(one.deviceNo) ?? null }))
  },
  presetList: async ({ tx, input }) => (await page(tx, presets, { deviceNo: input.deviceNo, queryMode: 'rows', limit: PRESETS_MOST })).records,
  async presetSave({ tx, input: { version, ...wanted }, at }) {
    const { parkCode } = await domeOf(tx, wanted.deviceNo)
    await recover(tx, wanted.deviceNo, WarningType.unhandled, presetWarning(wanted.presetNo))
    const { records } = await page(tx, presets, { deviceNo: wanted.deviceNo, presetNo: wanted.presetNo, queryMode: 'rows' })
    if (!records[0]) return addRow(tx, presets, { ...wanted, parkCode })
    if (version === undefined) throw Stale({ version: records[0].version })
    return setRow(tx, presets, await lockRow(tx, presets, { id: records[0].id, version }), { ...wanted, parkCode }, at)
  },
  async patrol({ tx, input: { deviceNo, on } }) {
    const { useStatus } = await domeOf(tx, deviceNo)
    if (useStatus !== DeviceUse.inUse) throw NotInUse({ deviceNo })
    const { id } = await command(tx, { sn: deviceNo, method: PATROL[on ? 0 : 1] })
    return { commandId: id as Id<'CommandId'> }
  },
  async presetDelete({ tx, input, at }) {
    await removeRow(tx, presets, await lockRow(tx, presets, input), at)
  },
})
/** To start, and to stop. */
const PATROL = ['dome.start', 'dome.stop'] as const

async function domeOf(tx: Tx, deviceNo: string): Promise<Pick<Placed, 'useStatus'> & { parkCode: string }> {
  const device = await statusOf(tx, deviceNo)
  if (!device) throw NotFound({ deviceNo })
  const { type, parkCode, useStatus } = device
  if (type !== DeviceType.dome || parkCode === null) throw NoDome({ deviceNo })
  return { parkCode, useStatus }
}
/** Today and so many days before it: a camera that was moved or cleaned is soon judged by what it sees now. */
const RATED_DAYS = 30
const DOMES = {
  sql: `select d.device_no, d.name, d.park_code, coalesce(p.name, '') as place, d.online::int as online, d.use_status,
      case d.state ->> 'capturing' when '1' then true when 'true' then true when '0' then false when 'false' then false end as capturing,
      (select count(*)::int from roadside.preset r where r.enterprise_id = d.enterprise_id and r.device_no = d.device_no) as presets,
      (select count(*)::int from roadside.illegal_stop i where i.enterprise_id = d.enterprise_id and i.device_no = d.device_no and i.source = ${IllegalSource.dome} and i.first_at >= $2) as caught_today,
      coalesce((select platform.permille(count(*) filter (where i.state <> ${IllegalState.invalid}), count(*)) from roadside.illegal_stop i
        where i.enterprise_id = d.enterprise_id and i.device_no = d.device_no and i.first_at >= $2::timestamptz - interval '${RATED_DAYS - 1} days' and i.reviewed_at is not null and i.state <> ${IllegalState.waiting}), -1) as valid_permille
    from device.status d join parking.park p on p.enterprise_id = d.enterprise_id and p.park_code = d.park_code
    where d.enterprise_id = scope_enterprise() and d.type = ${DeviceType.dome} and d.use_status not in (${DeviceUse.scrapped}, ${DeviceUse.inStock}) and ($1::text is null or d.park_code = $1) order by d.device_no limit 500`,
}
