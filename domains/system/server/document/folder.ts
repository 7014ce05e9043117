import path from 'node:path'
import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal, Stale } from '../../../../platform/server/refusal.ts'
import { addRow, onlyFields, rowsOver, setRow } from '../../../../platform/server/row.ts'
import type { Actor, Handler } from '../../../../platform/server/serve.ts'
import { type document, Folder, type FolderNode, FOLDERS_MAX, NAME_MAX, TREE_FILES_MAX, type TreeNode } from '../../contract/document.ts'
import { downFrom, folderOf, type FolderRow, lockTree, placeFor, refuseOthers, refuseOthersBelow, refuseUnder } from './folderTree.ts'
import '../tables.ts'

const NameTaken = refusal(
  'system.name-taken',
  40120,
  '这里已有同名的文件或文件夹，请换一个名称',
  'A file or folder with this name already exists here: choose another name',
)
const TooMany = refusal('system.folders', 40121, '最多 {most} 个文件夹', 'At most {most} folders are allowed', 422)
type Handlers = { [Name in keyof typeof document]: Handler<(typeof document)[Name]> }

const folders = rowsOver(Folder, 'system.folder', Object.keys(Folder.properties) as (keyof FolderRow)[])

export const folderHandlers: Pick<Handlers, 'addFolder' | 'getDirTree' | 'getDirs' | 'getTree' | 'moveDir' | 'updateFolder' | 'deleteFolder'> = {
  async addFolder({ tx, input: { name, parentId = null, remark = null }, actor }) {
    await lockTree(tx)
    const [{ n } = { n: 0 }] = await run<{ n: number }>(
      tx,
      { sql: 'select count(*)::int n from system.folder where enterprise_id = scope_enterprise() and deleted_at is null' },
      [],
    )
    if (n >= FOLDERS_MAX) throw TooMany({ most: FOLDERS_MAX })
    const into = await placeFor(tx, parentId)
    await refuseUnder(tx, null, into)
    await refuseNameIn(tx, into, name)
    return shown(await addRow(tx, folders, { name: name.trim(), parentId: into, remark, ...authorOf(actor) }))
  },
  getDirTree: ({ tx }) => treeOf(tx),
  async getDirs({ tx, input: { dirId = null } }) {
    const into = await placeFor(tx, dirId)
    const rows = await tx
      .selectFrom('system.folder')
      .selectAll()
      .where('parentId', 'is not distinct from', into)
      .where('deletedAt', 'is', null)
      .orderBy('name')
      .execute()
    return rows.map(shown)
  },
  async getTree({ tx }) {
    const [tops, files] = await Promise.all([
      treeOf(tx),
      run<{ id: string; dirId: string | null; name: string }>(
        tx,
        {
          sql: `select id, dir_id, name from system.document where enterprise_id = scope_enterprise() and deleted_at is null order by name limit ${TREE_FILES_MAX}`,
        },
        [],
      ),
    ])
    const filesIn = (dirId: string | null): TreeNode[] =>
      files.filter((one) => one.dirId === dirId).map(({ id, name }) => ({ id, name, isFile: true, children: [] }))
    const nodes = (some: readonly FolderNode[]): TreeNode[] =>
      some.map(({ id, name, children }) => ({ id, name, isFile: false, children: [...nodes(children), ...filesIn(id)] }))
    return [...nodes(tops), ...filesIn(null)]
  },
  async moveDir({ tx, input: { dirId, toDirId }, actor, at }) {
    await lockTree(tx)
    const found = await folderOf(tx, dirId)
    const into = await placeFor(tx, toDirId)
    await refuseUnder(tx, found.id, into)
    await refuseOthersBelow(
      tx,
      actor,
      (await downFrom(tx, found.id)).map(({ id }) => id),
    )
    if (into !== found.parentId) await refuseNameIn(tx, into, found.name)
    return setFolder(tx, found, { parentId: into }, at)
  },
  async updateFolder({ tx, input: { dirId, version, ...changes }, actor, at }) {
    await lockTree(tx)
    const found = await folderOf(tx, dirId)
    if (found.version !== version) throw Stale({ version: found.version })
    refuseOthers(actor, [found])
    const name = changes.name?.trim()
    if (name !== undefined && name.toLowerCase() !== found.name.toLowerCase()) await refuseNameIn(tx, found.parentId, name)
    return setFolder(tx, found, { ...changes, ...(name !== undefined && { name }) }, at)
  },
  // The whole of it goes to the bin as one thing, and comes back as one.
  async deleteFolder({ tx, input: { dirId }, actor, at }) {
    await lockTree(tx)
    const found = await folderOf(tx, dirId)
    const below = (await downFrom(tx, found.id)).map(({ id }) => id)
    await refuseOthersBelow(tx, actor, below)
    const gone = [below, found.id, at, actor.userName]
    await run(
      tx,
      {
        sql: `update system.folder set deleted_at = $3, deleted_by = $4, deleted_with = $2, version = version + 1 where enterprise_id = scope_enterprise() and id = any($1)`,
      },
      gone,
    )
    await run(
      tx,
      {
        sql: `update system.document set deleted_at = $3, deleted_by = $4, deleted_with = $2, version = version + 1 where enterprise_id = scope_enterprise() and dir_id = any($1) and deleted_at is null`,
      },
      gone,
    )
  },
}

const shown = onlyFields(Folder)
export const authorOf = ({ userId, userName }: Actor) => ({ authorId: userId, authorName: userName })

const setFolder = async (tx: Tx, found: FolderRow, changes: Partial<FolderRow>, at: Instant): Promise<Of<typeof Folder>> =>
  shown(await setRow(tx, folders, found, changes, at))

/** Folders and files of one place share their names, as people expect. @throws NameTaken */
export async function refuseNameIn(tx: Tx, dirId: string | null, name: string, { but }: { but?: string } = {}): Promise<void> {
  if ((await namesIn(tx, dirId, but)).has(name.trim().toLowerCase())) throw NameTaken()
}
export async function namesIn(tx: Tx, dirId: string | null, but?: string): Promise<Set<string>> {
  const rows = await run<{ name: string }>(
    tx,
    {
      sql: `select lower(name) as name from system.folder where enterprise_id = scope_enterprise() and parent_id is not distinct from $1::uuid and deleted_at is null and id is distinct from $2::uuid
        union all select lower(name) from system.document where enterprise_id = scope_enterprise() and dir_id is not distinct from $1::uuid and deleted_at is null and id is distinct from $2::uuid`,
    },
    [dirId, but ?? null],
  )
  return new Set(rows.map(({ name }) => name))
}

/** `合同.pdf`, then `合同 (2).pdf`: a name uploaded twice is two files, and both are found. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const ending = path.extname(wanted).slice(0, 12)
  const stem = wanted.slice(0, wanted.length - ending.length)
  for (let n = 1; ; n++) {
    const tried = n === 1 ? wanted : `${stem.slice(0, NAME_MAX - ending.length - 8)} (${n})${ending}`
    if (!taken.has(tried.toLowerCase())) return tried
  }
}

async function treeOf(tx: Tx): Promise<FolderNode[]> {
  const rows = await run<Omit<FolderNode, 'children' | 'allFiles'>>(
    tx,
    {
      sql: `select f.id, f.parent_id, f.name, f.remark, f.author_id, f.author_name, f.version, coalesce(d.n, 0)::int files from system.folder f
        left join (select dir_id, count(*) n from system.document where enterprise_id = scope_enterprise() and deleted_at is null group by 1) d on d.dir_id = f.id
        where f.enterprise_id = scope_enterprise() and f.deleted_at is null order by f.name limit ${FOLDERS_MAX}`,
    },
    [],
  )
  const within = Map.groupBy(rows, ({ parentId }) => parentId)
  const below = (parent: string | null): FolderNode[] =>
    (within.get(parent) ?? []).map((row) => {
      const children = below(row.id)
      return { ...row, children, allFiles: row.files + children.reduce((sum, child) => sum + child.allFiles, 0) }
    })
  return below(null)
}
