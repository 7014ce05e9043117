import { NotFound } from '../../../../platform/server/refusal.ts'
import { fileOf } from '../../../../platform/server/call/fileReply.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { file } from '../../contract/file.ts'
import { keptBytes } from './store.ts'
import { keepUpload, recordUpload, refuseOverQuota } from './upload.ts'
import '../tables.ts'

export const calls = serve(file, {
  upload: phased(async ({ input: { file: sent, only }, actor, at, read, write }) => {
    const bytes = sent?.bytes instanceof Uint8Array ? sent.bytes.length : 0
    await read((tx) => refuseOverQuota(tx, { enterprise: actor.enterprise, author: actor.userId, bytes, at }))
    const kept = await keepUpload(sent, { only })
    return write(async (tx) => ({ url: await recordUpload(tx, kept, { author: actor.userId }), fileName: kept.name }))
  }),

  async download({ tx, input: { fileName }, actor }) {
    const found = await tx
      .selectFrom('system.file')
      .select(['name', 'originalName', 'type', 'sha256'])
      .where('enterpriseId', '=', actor.enterprise)
      .where('name', '=', fileName)
      .executeTakeFirst()
    if (!found) throw NotFound()
    // A picture was drawn by us; anything else is handed over as it came, to be saved and never to be shown in our own pages.
    return fileOf({ name: found.originalName, type: found.type, body: await keptBytes(found.sha256), inline: found.type.startsWith('image/') })
  },
})
