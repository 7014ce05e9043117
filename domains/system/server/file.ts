import { randomUUID } from 'node:crypto'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { fileOf } from '../../../platform/server/fileReply.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { file, FILE_BYTES_MAX } from '../contract/file.ts'
import { redrawn, typeOf } from './picture.ts'
import { keepBytes, keptBytes } from './store.ts'
import './tables.ts'

const NotAPicture = refusal('system.not-a-picture', 42210, '只能上传 JPG、PNG 格式的图片', 'Only JPG and PNG pictures can be uploaded', 422)
const TooLarge = refusal('system.picture-too-large', 413, '图片不能超过 20 MB', 'A picture may have at most 20 MB', 413)
const QuotaUsed = refusal('system.upload-quota', 42910, '今日上传量已达上限，请明天再试', 'You have uploaded as much as one day allows', 429)

/** Per person and day: some thousand ordinary pictures. */
const QUOTA_BYTES = 2 * 1024 ** 3

export const calls = serve(file, {
  upload: phased(async ({ input: { file: sent }, actor, at, read, write }) => {
    if (!(sent?.bytes instanceof Uint8Array)) throw NotAPicture()
    if (sent.bytes.length > FILE_BYTES_MAX) throw TooLarge()
    const type = typeOf(sent.bytes)
    if (!type) throw NotAPicture()
    const used = await read((tx) =>
      tx
        .selectFrom('system.file')
        .select((of) => of.fn.sum<number>('bytes').as('bytes'))
        .where('enterpriseId', '=', actor.enterprise)
        .where('authorId', '=', actor.userId)
        .where('createdAt', '>', new Date(Date.parse(at) - 86_400_000).toISOString() as never)
        .executeTakeFirstOrThrow(),
    )
    if (Number(used.bytes ?? 0) + sent.bytes.length > QUOTA_BYTES) throw QuotaUsed()
    const bytes = await redrawn(sent.bytes, type)
    if (!bytes) throw NotAPicture()
    const sha256 = await keepBytes(bytes)
    const fileName = `${randomUUID()}.${type === 'image/png' ? 'png' : 'jpg'}`
    await write((tx) =>
      tx
        .insertInto('system.file')
        .values({ name: fileName, originalName: String(sent.name).slice(0, 200), type, bytes: bytes.length, sha256, authorId: actor.userId })
        .execute(),
    )
    return { url: `/lbs/basic/sysFile/download?fileName=${fileName}`, fileName }
  }),

  async download({ tx, input: { fileName }, actor }) {
    const found = await tx
      .selectFrom('system.file')
      .select(['name', 'originalName', 'type', 'sha256'])
      .where('enterpriseId', '=', actor.enterprise)
      .where('name', '=', fileName)
      .executeTakeFirst()
    if (!found) throw NotFound()
    return fileOf({ name: found.originalName, type: found.type, body: await keptBytes(found.sha256), inline: true })
  },
})
