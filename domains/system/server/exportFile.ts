import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Instant } from '../../../platform/contract/field.ts'
import { importNamed, type SheetFormat } from '../../../platform/contract/sheet.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { fileOf } from '../../../platform/server/fileReply.ts'
import { holds } from '../../../platform/server/kinds.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { type Actor, phased, serve } from '../../../platform/server/serve.ts'
import { ExportIs, exportPath, LINK_MS } from '../../../platform/server/sheets/exports.ts'
import { FORMATS } from '../../../platform/server/sheets/formats.ts'
import { exportNamed } from '../../../platform/server/sheets/source.ts'
import { templateFile } from '../../../platform/server/sheets/template.ts'
import { ExportFile, exportFile, exportSearch } from '../contract/exportFile.ts'
import './tables.ts'

const LinkOver = refusal('system.export-link-over', 40118, '下载链接已过期，请重新生成', 'The download link has expired: create a new one', 410)
const NotReady = refusal('system.export-not-ready', 40119, '导出尚未完成', 'The export is not ready yet')

const mine = listOver(ExportFile, 'platform.myExport', { ...exportSearch, operators: { ...exportSearch.operators, personId: 'equals' } })

export const calls = serve(exportFile, {
  queryPage: ({ tx, input, actor }) => page(tx, mine, { ...input, personId: actor.userId }),

  async renew({ tx, input: { id }, actor, at }) {
    const { state, call } = await own(tx, id, actor)
    refuseList(call, actor)
    if (state !== ExportIs.done) throw NotReady()
    const linkUntil = new Date(Date.parse(at) + LINK_MS).toISOString() as Instant
    await ownRow(tx, id, actor).set({ linkUntil }).execute()
  },

  async cancel({ tx, input: { id }, actor, at }) {
    const { state } = await own(tx, id, actor)
    if (state !== ExportIs.waiting && state !== ExportIs.running) return
    await ownRow(tx, id, actor).set({ state: ExportIs.cancelled, finishedAt: at }).where('state', 'in', [ExportIs.waiting, ExportIs.running]).execute() // prettier-ignore
  },

  download: phased(async ({ input: { id }, actor, at, read }) => {
    const { state, linkUntil, name, format, call } = await read((tx) => own(tx, id, actor))
    refuseList(call, actor)
    if (state !== ExportIs.done) throw NotReady()
    if (!linkUntil || Date.parse(linkUntil) < Date.parse(at)) throw LinkOver()
    const file = await open(exportPath(id)).catch(() => undefined)
    if (!file) throw NotFound()
    return fileOf({ name, type: FORMATS[format].type, body: createReadStream('', { fd: file }) })
  }),

  template: phased(async ({ input, actor, request }) => {
    const { call, format = 'xls' } = input as { call: string; format?: SheetFormat }
    const found = importNamed(call)
    if (!found) throw NotFound()
    if (found.needs.includes(':') && !actor.may.has(found.needs)) throw NoPermission()
    return templateFile(found, format, request.language)
  }),
})

/** Whoever may export the list no more gets what was written before neither. @throws NoPermission */
function refuseList(call: string, actor: Actor): void {
  const known = exportNamed(call)
  if (known && !holds(actor, known.call.needs)) throw NoPermission()
}

/** Nobody else's is there, not even for an administrator. */
async function own(tx: Tx, id: string, { enterprise, userId }: Actor) {
  const found = await tx
    .selectFrom('platform.exportFile as f')
    .innerJoin('platform.export as e', (join) => join.onRef('e.enterpriseId', '=', 'f.enterpriseId').onRef('e.id', '=', 'f.id'))
    .select(['f.state', 'f.linkUntil', 'f.name', 'f.format', 'e.call'])
    .where('f.enterpriseId', '=', enterprise)
    .where('f.id', '=', id)
    .where('f.personId', '=', userId)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
const ownRow = (tx: Tx, id: string, { enterprise, userId }: Actor) =>
  tx.updateTable('platform.exportFile').where('enterpriseId', '=', enterprise).where('id', '=', id).where('personId', '=', userId)
