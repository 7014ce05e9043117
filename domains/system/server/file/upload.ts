import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { FILE_BYTES_MAX } from '../../contract/file.ts'
import { documentTypeOf, plainName } from './attachment.ts'
import { redrawn, typeOf } from './picture.ts'
import { keepBytes } from './store.ts'
import '../tables.ts'

export const NotAPicture = refusal(
  'system.not-a-picture',
  40142,
  '上传图片只能是 JPG,JPEG,PNG 格式!',
  'Only JPG, JPEG and PNG pictures can be uploaded',
  422,
)
export const TooManyPixels = refusal(
  'system.too-many-pixels',
  40143,
  '图片过大：最多 5000 万像素，渐进式或隔行的更少，请缩小后再上传',
  'The picture is too large (50 million pixels at most, fewer if progressive or interlaced): reduce it and upload again',
  422,
)
const PictureTooLarge = refusal('system.picture-too-large', 413, '上传图片大小不能超过 20MB!', 'Pictures cannot exceed 20 MB', 413)
const FileTooLarge = refusal('system.file-too-large', 413, '上传文件大小不能超过 20MB!', 'Files cannot exceed 20 MB', 413)
export const KindRefused = refusal(
  'system.kind-refused',
  40144,
  '这种文件不能上传：可以上传图片、PDF、Word、Excel、PPT 和纯文本，文件内容须与扩展名一致，且不含宏',
  'This file type is not allowed: upload pictures, PDF, Word, Excel, PowerPoint or plain text whose content matches the extension and has no macros',
  422,
)
const QuotaUsed = refusal(
  'system.upload-quota',
  40145,
  '今日上传量已达上限，请明天再试',
  'You have reached today’s upload limit: try again tomorrow',
  429,
)

/** Per person and day: some thousand ordinary pictures. */
export const QUOTA_BYTES = 2 * 1024 ** 3
const DAY_MS = 86_400_000
const NAME_MAX = 200

/** A file whose bytes are kept and that has no row yet. */
export interface KeptFile {
  /** The name by which it is found: made here, never one that somebody typed. */
  name: string
  originalName: string
  type: string
  bytes: number
  sha256: string
}

/**
 * Checks an upload and keeps it: a picture drawn anew, or, unless only a picture is wanted, a document of an accepted type. Outside any transaction.
 * @throws NotAPicture, KindRefused, TooManyPixels, PictureTooLarge, FileTooLarge, TooMany
 */
export async function keepUpload(
  sent: { name?: unknown; bytes?: unknown } | undefined,
  { only }: { only?: 'picture' | undefined } = {},
): Promise<KeptFile> {
  if (!(sent?.bytes instanceof Uint8Array) || sent.bytes.length === 0) throw only ? NotAPicture() : KindRefused()
  if (sent.bytes.length > FILE_BYTES_MAX) throw only ? PictureTooLarge() : FileTooLarge()
  const originalName = plainName(String(sent.name ?? '')).slice(-NAME_MAX)
  const picture = typeOf(sent.bytes)
  if (picture) {
    const bytes = await redrawn(sent.bytes, picture)
    if (bytes === 'flood') throw TooManyPixels()
    if (bytes === 'unreadable') throw NotAPicture()
    return {
      name: `${randomUUID()}.${picture === 'image/png' ? 'png' : 'jpg'}`,
      originalName,
      type: picture,
      bytes: bytes.length,
      sha256: await keepBytes(bytes),
    }
  }
  if (only) throw NotAPicture()
  const kind = documentTypeOf(originalName, sent.bytes)
  if (!kind) throw KindRefused()
  return { name: `${randomUUID()}.${kind.ending}`, originalName, type: kind.type, bytes: sent.bytes.length, sha256: await keepBytes(sent.bytes) }
}

/** Makes a kept file one of the enterprise's. @returns the address that it is read at */
export async function recordUpload(
  tx: Tx,
  { name, originalName, type, bytes, sha256 }: KeptFile,
  { author }: { author: string | null },
): Promise<string> {
  await tx.insertInto('system.file').values({ name, originalName, type, bytes, sha256, authorId: author }).execute()
  return addressOfFile(name)
}
/** The file that `recordUpload` gave this address, among the enterprise's own; `keptBytes` reads it. */
export async function fileAt(tx: Tx, address: string): Promise<{ type: string; sha256: string } | undefined> {
  if (!address.startsWith(addressOfFile(''))) return undefined
  return tx
    .selectFrom('system.file')
    .select(['type', 'sha256'])
    .where('name', '=', address.slice(addressOfFile('').length))
    .executeTakeFirst()
}
export const addressOfFile = (name: string) => `/lbs/basic/sysFile/download?fileName=${name}`

/** Before anything is kept. @throws QuotaUsed when the person's uploads of the last day and these bytes are more than one day allows */
export async function refuseOverQuota(
  tx: Tx,
  { enterprise, author, bytes, at }: { enterprise: number; author: string; bytes: number; at: Instant },
): Promise<void> {
  const used = await tx
    .selectFrom('system.file')
    .select((of) => of.fn.sum<number>('bytes').as('bytes'))
    .where('enterpriseId', '=', enterprise)
    .where('authorId', '=', author)
    .where('createdAt', '>', instantAt(msOf(at) - DAY_MS))
    .executeTakeFirstOrThrow()
  if (Number(used.bytes ?? 0) + bytes > QUOTA_BYTES) throw QuotaUsed()
}
