import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import type { Actor } from '../../../../platform/server/serve.ts'
import { DEPTH_MAX, type Folder } from '../../contract/document.ts'
import '../tables.ts'

export const OwnBelow = refusal(
  'system.folder-cycle',
  40122,
  '不能移动到自身或其下级文件夹，请选择其他文件夹',
  'A folder cannot be moved into itself or its subfolders: choose another folder',
  422,
)
export const TooDeep = refusal('system.folder-depth', 40123, '文件夹最多 {most} 层', 'Folders can be at most {most} levels deep', 422)
const NotYours = refusal(
  'system.files-of-others',
  40124,
  '其中有 {others} 项是他人的，需要「管理他人文件」权限',
  '{others} of these belong to others: you need the “Manage others’ files” permission',
  403,
)

/** The permission to change what others have put here. */
export const MANAGES = 'system:file:manage'
export type FolderRow = Of<typeof Folder>

/** Moves, deletions and what comes back wait for each other: between the look at a tree and its change nobody else changes it. */
export const lockTree = (tx: Tx) => run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('system.folder ' || scope_enterprise(), 7))` }, [])

export async function folderOf(tx: Tx, id: string): Promise<FolderRow> {
  const found = await tx
    .selectFrom('system.folder')
    .selectAll()
    .where('id', '=', id as FolderRow['id'])
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
/** A place to put something: a folder that is there, or the top. */
export const placeFor = async (tx: Tx, id: string | null | undefined): Promise<FolderRow['id'] | null> => (id ? (await folderOf(tx, id)).id : null)

/** A folder and all above it, the lowest first. */
export const upFrom = (tx: Tx, id: string): Promise<{ id: string; name: string }[]> =>
  run(
    tx,
    {
      sql: `with recursive up as (select id, parent_id, name, 1 as level from system.folder where enterprise_id = scope_enterprise() and id = $1
          union all select f.id, f.parent_id, f.name, up.level + 1 from up join system.folder f on f.enterprise_id = scope_enterprise() and f.id = up.parent_id where up.level < 100)
        select id, name from up order by level`,
    },
    [id],
  )
/** A folder and all that lie below it and are not deleted, with how far down each is. */
export const downFrom = (tx: Tx, id: string): Promise<{ id: string; depth: number }[]> =>
  run(
    tx,
    {
      sql: `with recursive down as (select id, 1 as depth from system.folder where enterprise_id = scope_enterprise() and id = $1
          union all select f.id, down.depth + 1 from down join system.folder f on f.enterprise_id = scope_enterprise() and f.parent_id = down.id and f.deleted_at is null where down.depth < 100)
        select id, depth from down`,
    },
    [id],
  )

/** Whether one folder, with all below it, may lie in another. @throws OwnBelow, TooDeep */
export async function refuseUnder(tx: Tx, folder: string | null, into: string | null): Promise<void> {
  const [above, below] = await Promise.all([into ? upFrom(tx, into) : [], folder ? downFrom(tx, folder) : [{ id: '', depth: 1 }]])
  if (folder && above.some(({ id }) => id === folder)) throw OwnBelow()
  if (above.length + Math.max(...below.map(({ depth }) => depth)) > DEPTH_MAX) throw TooDeep({ most: DEPTH_MAX })
}

/** A person may change their own; others' only with a permission of its own. The refusal counts those. @throws NotYours */
export function refuseOthers(actor: Actor, rows: readonly { authorId: string | null }[]): void {
  const others = rows.filter(({ authorId }) => authorId !== actor.userId).length
  if (others > 0 && !actor.may.has(MANAGES)) throw NotYours({ others })
}
/** The same for a folder and everything below it. */
export async function refuseOthersBelow(tx: Tx, actor: Actor, folders: readonly string[]): Promise<void> {
  if (actor.may.has(MANAGES)) return
  const rows = await run<{ authorId: string | null }>(
    tx,
    {
      sql: `select author_id from system.folder where enterprise_id = scope_enterprise() and id = any($1)
        union all select author_id from system.document where enterprise_id = scope_enterprise() and dir_id = any($1) and deleted_at is null`,
    },
    [folders],
  )
  refuseOthers(actor, rows)
}
