import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Instant } from '../../../platform/contract/field.ts'
import { importNamed, type SheetFormat } from '../../../platform/contract/sheet.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { fileOf } from '../../../platform/server/call/fileReply.ts'
import { holds } from '../../../platform/server/record/kinds.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { hiddenFrom } from '../../../platform/server/call/personal.ts'
import { NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { type Actor, phased, serve } from '../../../platform/server/serve.ts'
import { ExportIs, exportPath, LINK_MS } from '../../../platform/server/sheets/exports.ts'
import { FORMATS } from '../../../platform/server/sheets/formats.ts'
import { exportNamed } from '../../../platform/server/sheets/source.ts'
import { templateFile } from '../../../platform/server/sheets/template.ts'
import { ExportFile, exportFile, exportSearch } from '../contract/exportFile.ts'
import './tables.ts'

const LinkOver = refusal('system.export-link-over', 40118, '下载链接已过期，请重新生成', 'The download link has expired: create a new one', 410)
const NotReady = refusal(
  'system.export-not-ready',
  40119,
  '导出尚未完成，请稍候，完成后会通知您',
  'The export is not ready yet: you will be notified when it is',
)
const Narrowed = refusal(
  'system.export-narrowed',
  40146,
  '导出后您的权限范围已缩小，请重新导出',
  'Your permissions have been reduced since this export: export it again',
  403,
)

const mine = listOver(ExportFile, 'platform.myExport', { ...exportSearch, operators: { ...exportSearch.operators, personId: 'equals' } })

export const calls = serve(exportFile, {
  queryPage: ({ tx, input, actor }) => page(tx, mine, { ...input, personId: actor.userId }),

  async renew({ tx, input: { id }, actor, at }) {
    const file = await own(tx, id, actor)
    refuseLess(file, actor)
    if (file.state !== ExportIs.done) throw NotReady()
    const linkUntil = new Date(Date.parse(at) + LINK_MS).toISOString() as Instant
    await ownRow(tx, id, actor).set({ linkUntil }).execute()
  },

  async cancel({ tx, input: { id }, actor, at }) {
    const { state } = await own(tx, id, actor)
    if (state !== ExportIs.waiting && state !== ExportIs.running) return
    await ownRow(tx, id, actor)
      .set({ state: ExportIs.cancelled, finishedAt: at })
      .where('state', 'in', [ExportIs.waiting, ExportIs.running])
      .execute()
  },

  download: phased(async ({ input: { id }, actor, at, read }) => {
    const file = await read((tx) => own(tx, id, actor))
    refuseLess(file, actor)
    const { state, linkUntil, name, format } = file
    if (state !== ExportIs.done) throw NotReady()
    if (!linkUntil || Date.parse(linkUntil) < Date.parse(at)) throw LinkOver()
    const fd = await open(exportPath(id)).catch(() => undefined)
    if (!fd) throw NotFound()
    return fileOf({ name, type: FORMATS[format].type, body: createReadStream('', { fd }) })
  }),

  template: phased(async ({ input, actor, request }) => {
    const { call, format = 'xls' } = input as { call: string; format?: SheetFormat }
    const found = importNamed(call)
    if (!found) throw NotFound()
    if (found.needs.includes(':') && !actor.may.has(found.needs)) throw NoPermission()
    return templateFile(found, format, request.language)
  }),
})

/** Refuses an export to an owner who may no longer export the list, or who sees less than when they asked for it. @throws NoPermission, Narrowed */
function refuseLess({ call, parks, departments, hidden }: Awaited<ReturnType<typeof own>>, actor: Actor): void {
  const known = exportNamed(call)
  if (known && !holds(actor, known.call.needs)) throw NoPermission()
  const { scope } = actor
  const seesAll =
    within(parks, scope.parks) && within(departments, scope.people?.departments ?? null) && hiddenFrom(actor).every((kind) => hidden.includes(kind))
  if (!seesAll) throw Narrowed()
}
/** Of parks or departments; null is all of the enterprise's. */
const within = (then: readonly string[] | null, now: readonly string[] | null) =>
  now === null || (then !== null && then.every((one) => now.includes(one)))

/** Returns an export of the caller; nobody else's, not even to an administrator. */
async function own(tx: Tx, id: string, { enterprise, userId }: Actor) {
  const found = await tx
    .selectFrom('platform.exportFile as f')
    .innerJoin('platform.export as e', (join) => join.onRef('e.enterpriseId', '=', 'f.enterpriseId').onRef('e.id', '=', 'f.id'))
    .select(['f.state', 'f.linkUntil', 'f.name', 'f.format', 'f.parks', 'f.departments', 'f.hidden', 'e.call'])
    .where('f.enterpriseId', '=', enterprise)
    .where('f.id', '=', id)
    .where('f.personId', '=', userId)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
const ownRow = (tx: Tx, id: string, { enterprise, userId }: Actor) =>
  tx.updateTable('platform.exportFile').where('enterpriseId', '=', enterprise).where('id', '=', id).where('personId', '=', userId)
