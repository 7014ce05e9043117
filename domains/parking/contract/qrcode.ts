import { Unsafe } from 'typebox'
import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  images,
  listOf,
  message,
  object,
  only,
  orNone,
  partsOf,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { type ExportCall, exportOf, SHEET_FORMATS, type SheetFormat } from '../../../platform/contract/sheet.ts'
import { Park } from './park.ts'

export const QrTarget = dictionary('qrcode_target', ['二维码位置', 'QR code place'], {
  park: [1, '车场', 'Car park'],
  gate: [2, '通道', 'Lane'],
  bay: [3, '泊位', 'Bay'],
  connector: [4, '充电枪', 'Connector'],
})
export const QrStatus = dictionary('qrcode_status', ['二维码状态', 'QR code status'], {
  valid: [1, '有效', 'Valid', 'success'],
  revoked: [2, '作废', 'Revoked', 'default'],
})

/** A code that is printed and hung up at a place. `code` is what is printed behind /q/: shortCode.versionNo.signature. */
export const Qrcode = entity(['二维码', 'QR code'], {
  ...rowFields<'QrcodeId'>(),
  target: among('位置类型', 'Place type', QrTarget),
  targetCode: text('位置编号', 'Place code', { max: 32 }),
  /** The usual name of the place; a bay is named by its number. */
  name: text('位置名称', 'Place name', { max: 100 }),
  parkCode: Park.properties.parkCode,
  shortCode: text('短码', 'Short code', { max: 10 }),
  versionNo: whole('版次', 'Edition', { min: 1 }),
  /** Prints of earlier editions are not good any more. */
  oldestNo: whole('最早有效版次', 'Oldest valid edition', { min: 1 }),
  code: text('码内容', 'Content', { max: 40 }),
  /** A path of this server (`/pay`), or an address of a host that the settings allow. */
  landUrl: orNone(text('跳转地址', 'Target address', { max: 300, pattern: '^(https://[^\\s/\\\\]+(/\\S*)?|/([^\\s/\\\\]\\S*)?)$' })),
  /** The code as it hangs outside; it was read from the picture and compared. */
  photo: orNone(images('现场照片', 'Site photo')),
  status: among('状态', 'Status', QrStatus),
  scans: whole('扫码次数', 'Scans'),
})
export const qrcodeSearch = searchOf(
  Qrcode,
  { parkCode: 'equals', target: 'among', targetCode: 'equals', status: 'among' },
  { sort: ['parkCode', 'createdAt'], ascending: true },
)

/** The most codes changed at once: a page of the list, or the bays of a street. */
const IDS_MAX = 500
/** A hundred sheets of A4. */
export const PRINT_MAX = 800
const query = call('parking.qrcode.query', {
  service: 'device',
  post: '/qrcode/query',
  needs: 'parking:qrcode:view',
  body: paged(qrcodeSearch),
  reply: pageOf(Qrcode),
})
const sheet = exportOf('parking.qrcode.park-export', {
  service: 'device',
  get: '/qrcode/parkQrCodeExport',
  needs: query.needs,
  title: ['二维码', 'QR codes'],
  query,
  columns: ['parkCode', 'target', 'targetCode', 'name', 'code', 'versionNo', 'status', 'scans', 'landUrl'],
})
type Asked<C> = C extends ExportCall<infer I> ? Omit<I, 'format'> & { format?: SheetFormat | 'print' } : never
const format = only<string, SheetFormat | 'print'>(text('文件类型', 'File type'), [...SHEET_FORMATS, 'print'])

const edit = { service: 'device', needs: 'parking:qrcode:edit', writes: true } as const
export const qrcode = {
  query,
  /** `reissue`: a new edition; the printed code stays valid, unless `revokeOld`. An empty address leads to the product's own page. */
  updateQrUrl: call('parking.qrcode.update-qr-url', {
    ...edit,
    post: '/qrcode/updateQrUrl',
    does: ['修改二维码', 'Changed QR codes'],
    body: message(
      { ids: listOf(Qrcode.properties.id, { max: IDS_MAX }) },
      { landUrl: Qrcode.properties.landUrl, reissue: yes('换发新版', 'New edition'), revokeOld: yes('旧版作废', 'Revoke earlier editions') },
    ),
    reply: listOf(Qrcode),
  }),
  /** Keeps a photograph of the code as it hangs, if what it shows is this code's present edition. `photo` is the address that the upload answered with. */
  savePhoto: call('parking.qrcode.save-photo', {
    ...edit,
    post: '/qrcode/saveQRPhoto',
    does: ['上传二维码现场照片', 'Uploaded a site photo of a QR code'],
    heavy: true,
    body: message({ id: Qrcode.properties.id, photo: images('现场照片', 'Site photo') }),
    reply: Qrcode,
  }),
  /** `print`: sheets of A4 for the printer, with the codes that are good. */
  export: { ...sheet, input: Unsafe<Asked<typeof sheet>>(object({}, { ...partsOf(sheet.input), format })) },
}
