import type { CodeOf } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../../platform/server/refusal.ts'

import { phased, serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import type { Place } from '../../../settlement/server/api.ts'
import { fileAt, keptBytes, settingsIn } from '../../../system/server/api.ts'
import { Qrcode, qrcode, qrcodeSearch, QrStatus, QrTarget } from '../../contract/qrcode.ts'
import { textIn } from './qrPhoto.ts'
import { printing } from './qrPrint.ts'
import '../tables.ts'

const WrongHost = refusal(
  'parking.qr-host',
  40880,
  '不能跳转到 {host}：请填写本平台的路径，或先在系统参数「二维码可跳转的域名」中加入该域名',
  'QR codes cannot lead to {host}: enter a path of this platform, or add the host in the system settings first',
  422,
)
const NoPhoto = refusal('parking.qr-no-photo', 40881, '找不到这张照片，请重新上传', 'The photo was not found: upload it again', 422)
const Unreadable = refusal(
  'parking.qr-unreadable',
  40882,
  '照片中没有识别到二维码，请正对二维码、靠近一些重新拍摄',
  'No QR code was found in the photo: take it again, straight on and closer',
  422,
)
const AnotherCode = refusal(
  'parking.qr-another',
  40883,
  '照片上不是 {name} 的二维码，请核对现场张贴的位置',
  'The photo does not show the QR code of {name}: check which code is posted there',
  422,
)
const OldEdition = refusal(
  'parking.qr-old-edition',
  40884,
  '照片上是第 {shown} 版，现行为第 {now} 版，请张贴新版后再拍',
  'The photo shows edition {shown}, but the current one is {now}: put up the new one and take the photo again',
  422,
)
const Revoked = refusal(
  'parking.qr-revoked',
  40885,
  '该二维码已作废，不能登记照片；请用新二维码',
  'This QR code is revoked: no photo can be added: use the new code',
)

export const qrcodes = listOver(Qrcode, 'parking.qrcodeShown', qrcodeSearch)

export const calls = serve(qrcode, {
  query: ({ tx, input }) => page(tx, qrcodes, input),
  async updateQrUrl({ tx, input: { ids, landUrl, reissue = false, revokeOld = false }, at }) {
    if (landUrl && !leadsTo(landUrl, (await settingsIn(tx)).qrHosts)) throw WrongHost({ host: hostOf(landUrl) })
    const changed = await run<{ id: string }>(tx, CHANGE, [ids, landUrl !== undefined, landUrl ?? null, reissue, revokeOld, at])
    if (changed.length < new Set(ids).size) throw NotFound()
    return Promise.all(changed.map(async ({ id }) => (await find(tx, qrcodes, id))!))
  },
  savePhoto: phased(async ({ input: { id, photo }, at, read, write }) => {
    const { found, file } = await read(async (tx) => ({ found: await find(tx, qrcodes, id), file: await fileAt(tx, photo) }))
    if (!found) throw NotFound()
    if (found.status === QrStatus.revoked) throw Revoked()
    if (!file?.type.startsWith('image/')) throw NoPhoto()
    refuseOther(found, await textIn(await keptBytes(file.sha256)))
    return write(async (tx) => {
      const kept = await run(tx, KEEP_PHOTO, [id, found.version, photo, at])
      if (kept.length === 0) throw Stale({ sent: found.version })
      return (await find(tx, qrcodes, id))!
    })
  }),
  export: printing(exporting(qrcode.export, qrcodes), qrcodes),
})
// One statement for a whole street. Revoking without a new edition would leave no good print, so it comes with one. A photographed code is not the new edition.
const CHANGE = {
  sql: `update parking.qrcode set land_url = case when $2 then $3 else land_url end, version_no = version_no + ($4::boolean or $5::boolean)::integer,
      oldest_no = case when $5 then version_no + 1 else oldest_no end, photo = case when $4 or $5 then null else photo end, version = version + 1, updated_at = $6
    where enterprise_id = scope_enterprise() and id = any ($1::uuid[]) returning id`,
}
const KEEP_PHOTO = {
  sql: `update parking.qrcode set photo = $3, version = version + 1, updated_at = $4
    where enterprise_id = scope_enterprise() and id = $1 and version = $2 returning id`,
}

/** @throws Unreadable, AnotherCode, OldEdition */
function refuseOther({ name, code, shortCode, versionNo }: (typeof Qrcode)['~unsafe'], text: string | undefined): void {
  if (text === undefined) throw Unreadable()
  const shown = /\/q\/([A-Za-z0-9]{10})\.(\d{1,7})\.([\w-]{16})$/.exec(text)
  if (shown?.[1] === shortCode && Number(shown[2]) < versionNo) throw OldEdition({ shown: shown[2], now: versionNo })
  if (!shown || shown[0] !== `/q/${code}`) throw AnotherCode({ name })
}

/** Where a code may send people: a path of this server, or https to one of the hosts of the setting. Undefined: not there. */
function leadsTo(landUrl: string, hosts: string): string | undefined {
  if (!URL.canParse(landUrl, OWN)) return undefined
  const { origin, protocol, port, hostname, username, password, href } = new URL(landUrl, OWN)
  if (origin === OWN) return landUrl.startsWith('/') ? href.slice(OWN.length) : undefined
  const allowed = protocol === 'https:' && port === '' && !username && !password && hosts.split(',').includes(hostname)
  return allowed ? href : undefined
}
/** Stands for this server while an address is looked at; nobody can have it. */
const OWN = 'https://own.invalid'
const hostOf = (landUrl: string) => (URL.canParse(landUrl, OWN) ? new URL(landUrl, OWN).host : landUrl)

/** Where a scanned code hangs; for `settlement.scanned`. */
export const placeOf = async (tx: Tx, { code }: { code: string }): Promise<Place | undefined> =>
  (await run<Place>(tx, { sql: 'select enterprise_id, park_code, target, target_code from parking.scanned($1)' }, [code]))[0]

/** The page that a scanned code opens on a phone. */
export interface Visited {
  parkName: string
  target: CodeOf<typeof QrTarget>
  /** The name of the gate, the bay or the connector. */
  placeName: string | null
  /** Undefined: it has no address, or one that the settings do not allow any more. */
  leadsTo: string | undefined
}
/** A stranger scans a code: counted, and answered where it leads. Undefined when it is forged, revoked or of an edition that is not good any more. */
export function visit(house: House, code: string): Promise<Visited | undefined> {
  return house.writing(NOBODYS, 'parking.qrcode.visit', async (tx) => {
    const [found] = await run<{ parkName: string; target: CodeOf<typeof QrTarget>; placeName: string; landUrl: string | null }>(tx, VISIT, [code])
    if (!found) return undefined
    const { parkName, target, placeName, landUrl } = found
    const address = landUrl ? leadsTo(landUrl, (await settingsIn(tx)).qrHosts) : undefined
    return { parkName, target, placeName: target === QrTarget.park ? null : placeName, leadsTo: address }
  })
}
/** A visitor belongs to no enterprise; the database function finds that of the code. */
const NOBODYS = 0
const VISIT = { sql: 'select park_name, target, place_name, land_url from parking.visit($1)' }
