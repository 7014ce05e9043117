import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { fileOf } from '../../../../platform/server/call/fileReply.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { json, addRow, lockRow, removeRow, setRow } from '../../../../platform/server/row.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { HelpPage, helpPage, type HelpNode, type HelpRead, helpSearch } from '../../contract/helpPage.ts'
import { keptBytes } from '../file/store.ts'
import { openToAll } from './openToAll.ts'
import '../tables.ts'
import { keepUpload } from '../file/upload.ts'

type Row = Of<typeof HelpPage>
const HasChildren = refusal(
  'system.help-has-children',
  40125,
  '下面还有 {count} 篇文档，不能删除；请先删除或移走',
  'It has {count:page} below it: delete or move those first',
)
const IntoItself = refusal(
  'system.help-into-itself',
  40126,
  '不能移到自己的下级，请选择其他上级',
  'A page cannot be moved below itself: choose another parent',
  422,
)
const NoParent = refusal('system.help-no-parent', 40127, '上级文档不存在，请重新选择', 'The parent page does not exist: choose another one', 422)

const helpPages = listOver(HelpPage, 'system.helpPage', helpSearch)
const FIELDS = Object.keys(HelpPage.properties) as (keyof Row)[]
/** A help of more pages than this is read by nobody. */
const PAGES_MAX = 1_000
const PUBLISHED = 1

export const calls = serve(helpPage, {
  selectPage: ({ tx, input }) => page(tx, helpPages, input),
  tree: ({ tx, actor }) =>
    run<Of<typeof HelpNode>>(
      tx,
      {
        sql: `select id, parent_id, title, title_en, screen, sort, state, content <> '' or content_en <> '' as has_text from system.help_page
          where state = ${PUBLISHED} or $1 order by sort, id limit ${PAGES_MAX}`,
      },
      [actor.may.has(helpPage.update.needs)],
    ),
  async read({ tx, input: { id }, actor }) {
    const found = await tx
      .selectFrom('system.helpPage')
      .select([...FIELDS.filter((field) => field !== 'authorName'), sql<string | null>`platform.author_shown(author_name)`.as('authorName')])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!found || (found.state !== PUBLISHED && !actor.may.has(helpPage.update.needs))) throw NotFound()
    return found as Of<typeof HelpRead>
  },
  async add({ tx, input, actor }) {
    if (input.parentId) await refuseNoParent(tx, input.parentId)
    const row = { ...(await openToAll(tx, input)), authorName: actor.userName }
    return addRow(tx, helpPages, rowOf(row))
  },
  async update({ tx, input: { id, version, ...changes }, actor, at }) {
    const found = await lockRow(tx, helpPages, { id, version })
    if (changes.parentId) {
      await refuseNoParent(tx, changes.parentId)
      await refuseIntoItself(tx, id, changes.parentId)
    }
    const open = await openToAll(tx, changes)
    return setRow(tx, helpPages, found, { ...(rowOf(open) as object), authorName: actor.userName }, at)
  },
  async delete({ tx, input: { id, version }, at }) {
    const found = await lockRow(tx, helpPages, { id, version })
    const children = await tx.selectFrom('system.helpPage').select('id').where('parentId', '=', id).execute()
    if (children.length > 0) throw HasChildren({ count: children.length })
    await removeRow(tx, helpPages, found, at)
  },

  uploadFile: phased(async ({ input: { file }, actor, write }) => {
    const kept = await keepUpload(file)
    const fileName = `${randomUUID()}.${kept.name.split('.').at(-1)}`
    const { originalName, type, bytes, sha256 } = kept
    return write(async (tx) => {
      await tx.insertInto('system.helpFile').values({ name: fileName, originalName, type, bytes, sha256, authorId: actor.userId }).execute()
      return { url: `/lbs/business/system/documentFile?fileName=${fileName}`, fileName: originalName }
    })
  }),
  async file({ tx, input: { fileName } }) {
    const found = await tx.selectFrom('system.helpFile').select(['originalName', 'type', 'sha256']).where('name', '=', fileName).executeTakeFirst()
    if (!found) throw NotFound()
    return fileOf({ name: found.originalName, type: found.type, body: await keptBytes(found.sha256), inline: found.type.startsWith('image/') })
  },
})

const rowOf = <T extends { attachments?: unknown }>(row: T): T =>
  row.attachments === undefined ? row : { ...row, attachments: json(row.attachments) }

async function refuseNoParent(tx: Tx, id: Row['id']) {
  if (!(await tx.selectFrom('system.helpPage').select('id').where('id', '=', id).forKeyShare().executeTakeFirst())) throw NoParent()
}
/** One move at a time: two at once could each put one below the other. */
async function refuseIntoItself(tx: Tx, id: Row['id'], parent: Row['id']) {
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, 1))' }, ['system.helpPage.tree'])
  const [found] = await run<{ inside: boolean }>(
    tx,
    {
      sql: `with recursive above (id, parent_id) as (select id, parent_id from system.help_page where id = $1 union select d.id, d.parent_id from system.help_page d join above a on d.id = a.parent_id)
        select exists (select from above where id = $2) as inside`,
    },
    [parent, id],
  )
  if (found!.inside) throw IntoItself()
}
