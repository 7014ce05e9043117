import type { Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import type { Actor, Handler } from '../../../../platform/server/serve.ts'
import { BIN_DAYS } from '../../../../platform/contract/records.ts'
import type { document } from '../../contract/document.ts'
import { freeName, namesIn } from './folder.ts'
import { type FolderRow, lockTree, refuseOthers, refuseUnder } from './folderTree.ts'
import '../tables.ts'

type Handlers = { [Name in keyof typeof document]: Handler<(typeof document)[Name]> }
interface Gone {
  id: string
  isFile: boolean
  name: string
  authorId: string | null
  placeId: string | null
}

export const binHandlers: Pick<Handlers, 'purge'> = {
  async purge({ tx, input: { binnedIds } }) {
    await lockTree(tx)
    if ((await binned(tx, binnedIds)).length !== new Set(binnedIds).size) throw NotFound()
    await dropForGood(tx, binnedIds)
  },
}
/** A folder comes back with all that went with it, a file by itself; where the place is gone, at the top. @throws NotFound, NotYours, TooDeep */
export async function unmark(tx: Tx, actor: Actor, id: string, at: Instant): Promise<void> {
  await lockTree(tx)
  const [found] = await binned(tx, [id])
  if (!found) throw NotFound()
  refuseOthers(actor, [found])
  await (found.isFile ? restoreFile(tx, found, at) : restoreFolder(tx, found, at))
}

/** Returns the entries that were deleted themselves: not the files of a folder that went with it. */
const binned = (tx: Tx, ids: readonly string[]): Promise<Gone[]> =>
  run<Gone>(
    tx,
    {
      sql: `select id, false as is_file, name, author_id, parent_id as place_id from system.folder
        where enterprise_id = scope_enterprise() and deleted_at is not null and deleted_with = id and id = any($1)
        union all select id, true, name, author_id, dir_id from system.document
        where enterprise_id = scope_enterprise() and deleted_at is not null and deleted_with is null and id = any($1)`,
    },
    [ids],
  )

/** Where it lay, if that is still there; else at the top, under a name that is free. */
async function placeOf(tx: Tx, { placeId, name }: Gone): Promise<{ place: string | null; name: string }> {
  const there =
    placeId &&
    (await tx
      .selectFrom('system.folder')
      .select('id')
      .where('id', '=', placeId as FolderRow['id'])
      .where('deletedAt', 'is', null)
      .executeTakeFirst())
  const place = there ? there.id : null
  return { place, name: freeName(name, await namesIn(tx, place)) }
}
async function restoreFile(tx: Tx, gone: Gone, at: Instant): Promise<void> {
  const { place, name } = await placeOf(tx, gone)
  await run(
    tx,
    {
      sql: `update system.document set deleted_at = null, deleted_by = null, dir_id = $2, name = $3, updated_at = $4, version = version + 1 where enterprise_id = scope_enterprise() and id = $1`,
    },
    [gone.id, place, name, at],
  )
}
async function restoreFolder(tx: Tx, gone: Gone, at: Instant): Promise<void> {
  const { place, name } = await placeOf(tx, gone)
  const back = {
    sql: `update system.folder set deleted_at = null, deleted_by = null, deleted_with = null, version = version + 1 where enterprise_id = scope_enterprise() and deleted_with = $1`,
  }
  await run(tx, { sql: `update system.folder set parent_id = $2, name = $3, updated_at = $4 where enterprise_id = scope_enterprise() and id = $1` }, [
    gone.id,
    place,
    name,
    at,
  ])
  await run(tx, back, [gone.id])
  await run(
    tx,
    {
      sql: `update system.document set deleted_at = null, deleted_by = null, deleted_with = null, version = version + 1 where enterprise_id = scope_enterprise() and deleted_with = $1`,
    },
    [gone.id],
  )
  await refuseUnder(tx, gone.id, place)
}

/** Deletes for good what was in the bin for 30 days. */
export async function emptyBin(tx: Tx, at: Instant): Promise<void> {
  const before = instantAt(msOf(at) - BIN_DAYS * DAY_MS)
  const old = await run<{ id: string }>(
    tx,
    {
      sql: `select id from system.folder where enterprise_id = scope_enterprise() and deleted_at < $1 and deleted_with = id
        union all select id from system.document where enterprise_id = scope_enterprise() and deleted_at < $1 and deleted_with is null`,
    },
    [before],
  )
  await dropForGood(
    tx,
    old.map(({ id }) => id),
  )
}
/** Files with their attachments and stored files, folders from the leaves up; the bytes follow when nothing names them any more. */
async function dropForGood(tx: Tx, ids: readonly string[]): Promise<void> {
  const files = await run<{ fileId: string }>(
    tx,
    {
      sql: `delete from system.annexe a using system.document d where a.enterprise_id = scope_enterprise() and d.enterprise_id = a.enterprise_id and d.id = a.document_id
        and d.deleted_at is not null and (d.id = any($1) or d.deleted_with = any($1)) returning a.file_id`,
    },
    [ids],
  )
  await run(tx, { sql: 'delete from system.file where enterprise_id = scope_enterprise() and id = any($1)' }, [files.map(({ fileId }) => fileId)])
  await run(
    tx,
    {
      sql: 'delete from system.document where enterprise_id = scope_enterprise() and deleted_at is not null and (id = any($1) or deleted_with = any($1))',
    },
    [ids],
  )
  // A folder that still holds something, deleted by itself before, stays until that is gone.
  for (let gone = 1; gone > 0;) {
    const leaves = await run(
      tx,
      {
        sql: `delete from system.folder f where enterprise_id = scope_enterprise() and deleted_with = any($1)
          and not exists (select from system.folder c where c.enterprise_id = f.enterprise_id and c.parent_id = f.id)
          and not exists (select from system.document d where d.enterprise_id = f.enterprise_id and d.dir_id = f.id) returning id`,
      },
      [ids],
    )
    gone = leaves.length
  }
}
export const tasks = [task('system.empty-bin', ({ tx, at }) => emptyBin(tx, at), { every: '41 17 * * *' })]
