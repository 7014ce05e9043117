import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { enterpriseOf, run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { Level } from '../../after-sale/contract/level.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { RepairSource } from '../contract/repair.ts'
import { faultFound } from './repair.ts'
import { inTurn } from './repairRow.ts'
import { type Found, thingOf } from './repairThing.ts'
import { Said } from '../contract/said.ts'

const NoCode = refusal('inspection.no-code', 42058, '二维码无效，请扫描设备上的报修码', 'Invalid code: scan the repair code on the device', 404)
const ReportedOften = refusal(
  'inspection.reported-often',
  42059,
  '该设备刚刚已有多人报修，我们正在处理，谢谢',
  'This device has just been reported several times. We are working on it, thank you',
  429,
)

/** The most reports of one device within so long; more people would report the same. */
const OFTEN = 5
const OFTEN_MS = 10 * MINUTE_MS
const BY = Said.scanned

/** Returns the text of a device's printed code: the company, its number, and the signature of both by the key that signs all printed codes. */
export async function codeOf(tx: Tx, deviceNo: string): Promise<string> {
  return `${enterpriseOf(tx)}.${deviceNo}.${await signatureOf(tx, deviceNo)}`
}
async function signatureOf(tx: Tx, deviceNo: string): Promise<string> {
  const [made] = await run<{ sign: string }>(tx, { sql: SIGN }, [deviceNo])
  return made!.sign
}
const SIGN = `select parking.qr_signature('device ' || $1::text, scope_enterprise()) as sign`

const CODE = /^([1-9]\d{0,6})\.([A-Za-z0-9][A-Za-z0-9_.-]{0,31})\.([A-Za-z0-9_-]{16})$/
export interface Scanned {
  enterprise: number
  deviceNo: string
  sign: string
}
/** @throws NoCode */
export function partsOf(code: string): Scanned {
  const [, enterprise, deviceNo, sign] = CODE.exec(code) ?? []
  if (!enterprise || !deviceNo || !sign) throw NoCode()
  return { enterprise: Number(enterprise), deviceNo, sign }
}
/** The device that stands behind a code, in its company's transaction. A scrapped one has no code any more. @throws NoCode */
export async function behind(tx: Tx, { deviceNo, sign }: Scanned): Promise<Found> {
  if ((await signatureOf(tx, deviceNo)) !== sign) throw NoCode()
  const found = await thingOf(tx, deviceNo)
  if (found.useStatus === DeviceUse.scrapped) throw NoCode()
  return found
}
/** Records a stranger's report. The company decides its level: until then it is 中, and opens no order. @throws NoCode, ReportedOften */
export async function reportScanned(tx: Tx, scanned: Scanned, said: { desc: string; contact?: string | undefined }, at: Instant): Promise<Found> {
  await inTurn(tx, scanned.deviceNo)
  const found = await behind(tx, scanned)
  const [lately] = await run<{ n: number }>(tx, { sql: LATELY }, [found.deviceNo, instantAt(msOf(at) - OFTEN_MS)])
  if (lately!.n >= OFTEN) throw ReportedOften()
  await faultFound(tx, { deviceNo: found.deviceNo, source: RepairSource.scanned, level: Level.middle, by: BY, ...said }, at)
  return found
}
const LATELY = `select count(*)::int as n from inspection.repair r join inspection.repair_line l on l.enterprise_id = r.enterprise_id and l.repair_id = r.id
  where r.enterprise_id = scope_enterprise() and r.device_no = $1 and r.updated_at > $2 and l.source = ${RepairSource.scanned} and l.at > $2`
