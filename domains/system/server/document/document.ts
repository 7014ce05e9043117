import type { Of } from '../../../../platform/contract/field.ts'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { enterpriseOf, run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { addRow, onlyFields, setRow } from '../../../../platform/server/row.ts'
import { type Actor, serve } from '../../../../platform/server/serve.ts'
import {
  type Annexe,
  ANNEXES_MAX,
  Document,
  document,
  type DocumentRow,
  documentSearch,
  NAME_MAX,
  PERSON_BYTES_MAX,
} from '../../contract/document.ts'
import { binHandlers } from './bin.ts'
import { authorOf, folderHandlers, freeName, namesIn, refuseNameIn } from './folder.ts'
import { downFrom, folderOf, lockTree, placeFor, refuseOthers } from './folderTree.ts'
import '../tables.ts'

const NotUploaded = refusal(
  'system.not-uploaded',
  40114,
  '请先上传文件；只能使用自己上传的文件',
  'Upload the file first; you can only use files you uploaded yourself',
  422,
)
const TooManyAnnexes = refusal('system.annexes', 40115, '一个文件最多 {most} 个附件', 'A file takes at most {most} attachments', 422)
const NoRoom = refusal(
  'system.person-bytes',
  40116,
  '您的文件空间已用完，请先删除不需要的文件',
  'Your file space is full: delete files you no longer need first',
  429,
)
const StillThere = refusal(
  'system.annexes-taken',
  40117,
  '同一附件不能重复添加，请去掉重复的附件',
  'The same attachment cannot be added twice: remove the duplicate',
  422,
)

type Row = Of<typeof Document>
type Shown = Of<typeof DocumentRow>
/** Of one folder, or of all that are there. */
const documents = listOver(
  Document,
  'system.document',
  { ...documentSearch, operators: { ...documentSearch.operators, dirId: 'among' } },
  { only: 'deleted_at is null' },
)
const atTop = listOver(Document, 'system.document', documentSearch, { only: 'deleted_at is null and dir_id is null' })

export const calls = serve(document, {
  ...folderHandlers,
  ...binHandlers,
  async addFile({ tx, input: { name, dirId, remark = null, annexes = [] }, actor }) {
    const into = await placeFor(tx, dirId)
    await lockTree(tx)
    const free = annexes.length === 1 && annexes[0]!.name === undefined ? freeName(name.trim(), await namesIn(tx, into)) : name.trim()
    await refuseNameIn(tx, into, free)
    const made = await addRow(tx, documents, { name: free, dirId: into, remark, ...authorOf(actor) })
    for (const annexe of annexes) await attach(tx, made.id, annexe, actor)
    return documentOf(tx, made.id)
  },
  async addAnnexe({ tx, input: { id, ...annexe }, actor, at }) {
    const found = await lockDocument(tx, id)
    refuseOthers(actor, [found])
    const [{ n } = { n: 0 }] = await run<{ n: number }>(
      tx,
      { sql: 'select count(*)::int n from system.annexe where enterprise_id = scope_enterprise() and document_id = $1' },
      [id],
    )
    if (n >= ANNEXES_MAX) throw TooManyAnnexes({ most: ANNEXES_MAX })
    await attach(tx, found.id, annexe, actor)
    await setRow(tx, documents, found, {}, at)
    return documentOf(tx, id)
  },
  async updateAnnexe({ tx, input: { annexeId, name }, actor }) {
    const [found] = await annexesAmong(tx, [annexeId], actor)
    await run(tx, { sql: 'update system.annexe set name = $2 where enterprise_id = scope_enterprise() and id = $1' }, [annexeId, name.trim()])
    await run(tx, { sql: 'update system.file set original_name = $2 where enterprise_id = scope_enterprise() and id = $1' }, [
      found!.fileId,
      name.trim(),
    ])
    return documentOf(tx, found!.documentId)
  },
  async deleteAnnexes({ tx, input: { annexeIds }, actor }) {
    const found = await annexesAmong(tx, annexeIds, actor)
    await run(tx, { sql: 'delete from system.annexe where enterprise_id = scope_enterprise() and id = any($1)' }, [found.map(({ id }) => id)])
    // Its own stored file; whatever else shows the same bytes keeps them.
    await run(tx, { sql: 'delete from system.file where enterprise_id = scope_enterprise() and id = any($1)' }, [found.map(({ fileId }) => fileId)])
  },
  async deleteByIds({ tx, input: { ids }, actor, at }) {
    const found = await lockDocuments(tx, ids)
    refuseOthers(actor, found)
    for (const one of found) await setRow(tx, documents, one, { deletedAt: at, deletedBy: actor.userName }, at)
  },
  async moveFiles({ tx, input: { ids, toDirId }, actor, at }) {
    await lockTree(tx)
    const into = await placeFor(tx, toDirId)
    const found = await lockDocuments(tx, ids)
    refuseOthers(actor, found)
    for (const one of found.filter(({ dirId }) => dirId !== into)) {
      await refuseNameIn(tx, into, one.name)
      await setRow(tx, documents, one, { dirId: into }, at)
    }
  },
  async updateFile({ tx, input: { id, version, ...changes }, actor, at }) {
    await lockTree(tx)
    const found = await lockDocument(tx, id)
    if (found.version !== version) throw Stale({ version: found.version })
    refuseOthers(actor, [found])
    const name = changes.name?.trim()
    if (name !== undefined) await refuseNameIn(tx, found.dirId, name, { but: id })
    await setRow(tx, documents, found, { ...changes, ...(name !== undefined && { name }) }, at)
    return documentOf(tx, id)
  },
  async getList({ tx, input: { dirId, deep, ...input } }) {
    const list = dirId === null ? atTop : documents
    if (dirId) await folderOf(tx, dirId)
    const within = dirId ? { dirId: deep ? (await downFrom(tx, dirId)).map(({ id }) => id) : [dirId] } : {}
    const found = await page(tx, deep && dirId === null ? documents : list, { ...input, ...within })
    return { ...found, records: await whole(tx, found.records as Row[]) }
  },
  getInfo: ({ tx, input }) => documentOf(tx, input.id),
  async usage({ tx, actor }) {
    const [mine] = await run<{ used: number; files: number }>(tx, { sql: USED }, [actor.userId])
    return { ...mine!, most: PERSON_BYTES_MAX }
  },
})
const USED =
  'select coalesce(sum(bytes), 0)::bigint used, count(*)::int files from system.annexe where enterprise_id = scope_enterprise() and author_id = $1'

/**
 * Makes what somebody uploaded an attachment, with a stored file of its own: deleting it takes nothing from anything else that shows the same bytes.
 * @throws NotUploaded for what others uploaded, NoRoom
 */
async function attach(tx: Tx, documentId: string, { fileName, name }: { fileName: string; name?: string }, actor: Actor): Promise<void> {
  const sent = await tx
    .selectFrom('system.file')
    .selectAll()
    .where('enterpriseId', '=', enterpriseOf(tx))
    .where('name', '=', fileName)
    .where('authorId', '=', actor.userId)
    .executeTakeFirst()
  if (!sent) throw NotUploaded()
  const [mine] = await run<{ used: number }>(tx, { sql: USED }, [actor.userId])
  if (mine!.used + sent.bytes > PERSON_BYTES_MAX) throw NoRoom()
  const shownAs =
    (name ?? sent.originalName)
      .trim()
      .replaceAll(/[\u0000-\u001f\u007f/\\]/g, '_')
      .slice(0, NAME_MAX) || sent.name
  const { id: _, enterpriseId: __, createdAt: ___, ...bytes } = sent
  const kept = await tx
    .insertInto('system.file')
    .values({ ...bytes, name: `${randomUUID()}${path.extname(sent.name)}`, originalName: shownAs })
    .returning('id')
    .executeTakeFirstOrThrow()
  const twice = await tx
    .selectFrom('system.annexe as a')
    .innerJoin('system.file as f', 'f.id', 'a.fileId')
    .select('a.id')
    .where('a.documentId', '=', documentId)
    .where('f.sha256', '=', sent.sha256)
    .executeTakeFirst()
  if (twice) throw StillThere()
  await tx
    .insertInto('system.annexe')
    .values({ documentId, fileId: kept.id, name: shownAs, bytes: sent.bytes, ...authorOf(actor) })
    .execute()
}

async function lockDocuments(tx: Tx, ids: readonly string[]): Promise<Row[]> {
  const found = await tx
    .selectFrom('system.document')
    .selectAll()
    .where('id', 'in', ids as Row['id'][])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (found.length !== new Set(ids).size) throw NotFound()
  return found
}
const lockDocument = async (tx: Tx, id: string) => (await lockDocuments(tx, [id]))[0]!

async function annexesAmong(tx: Tx, ids: readonly string[], actor: Actor) {
  const found = await run<{ id: string; fileId: string; documentId: string; authorId: string | null }>(
    tx,
    {
      sql: `select a.id, a.file_id, a.document_id, d.author_id from system.annexe a join system.document d on d.enterprise_id = a.enterprise_id and d.id = a.document_id
        where a.enterprise_id = scope_enterprise() and a.id = any($1) and d.deleted_at is null for update of a`,
    },
    [ids],
  )
  if (found.length !== new Set(ids).size) throw NotFound()
  refuseOthers(actor, found)
  return found
}

async function documentOf(tx: Tx, id: string): Promise<Shown> {
  const found = await find(tx, documents, id)
  const gone =
    found &&
    (
      await tx
        .selectFrom('system.document')
        .select('deletedAt')
        .where('id', '=', id as Row['id'])
        .executeTakeFirst()
    )?.deletedAt
  if (!found || gone) throw NotFound()
  return (await whole(tx, [found as Row]))[0]!
}

/** With where each lies, and its attachments. */
async function whole(tx: Tx, rows: readonly Row[]): Promise<Shown[]> {
  const [annexes, places] = await Promise.all([
    run<Of<typeof Annexe> & { documentId: string }>(
      tx,
      {
        sql: `select a.document_id, a.id, a.name, f.name as file_name, f.type, a.bytes::bigint bytes, a.author_name, a.created_at from system.annexe a join system.file f on f.id = a.file_id
          where a.enterprise_id = scope_enterprise() and a.document_id = any($1) order by a.created_at, a.id`,
      },
      [rows.map(({ id }) => id)],
    ),
    run<{ id: string; path: string }>(
      tx,
      {
        sql: `with recursive up as (select id as of_dir, parent_id, name, 1 as level from system.folder where enterprise_id = scope_enterprise() and id = any($1)
            union all select up.of_dir, f.parent_id, f.name, up.level + 1 from up join system.folder f on f.enterprise_id = scope_enterprise() and f.id = up.parent_id where up.level < 100)
          select of_dir as id, string_agg(name, ' / ' order by level desc) as path from up group by 1`,
      },
      [[...new Set(rows.flatMap(({ dirId }) => dirId ?? []))]],
    ),
  ])
  return rows.map((row) => {
    const mine = annexes.filter(({ documentId }) => documentId === row.id).map(({ documentId: _, ...annexe }) => annexe)
    return {
      ...onlyDocument(row),
      dirPath: places.find(({ id }) => id === row.dirId)?.path ?? '',
      annexes: mine,
      bytes: mine.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  })
}
const onlyDocument = onlyFields(Document)
