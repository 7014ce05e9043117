import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { IllegalMove, NotFound } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { noteCan, NoteState, type ReadNote, UNSEEN_MAX, UpdateNote, updateInfo, updateNoteSearch } from '../../contract/updateNote.ts'
import { SignInOutcome } from '../../contract/log.ts'
import { settingsIn } from '../configuration.ts'
import { openToAll } from './openToAll.ts'
import '../tables.ts'
import { noteTopic } from '../topics.ts'

type Row = Of<typeof UpdateNote>
const notes = listOver(UpdateNote, 'system.updateNote', updateNoteSearch)
const READ = 'id, release, title, title_en, content, content_en, publish_at'
/** The help shows the last ones. */
const PUBLISHED_MAX = 20

export const calls = serve(updateInfo, {
  async selectPage({ tx, input }) {
    const found = await page(tx, notes, input)
    return { ...found, records: await withReaders(tx, found.records) }
  },
  async detail({ tx, input: { id } }) {
    const found = await find(tx, notes, id)
    if (!found) throw NotFound()
    return (await withReaders(tx, [found]))[0]!
  },
  add: async ({ tx, input, actor }) => addRow(tx, notes, { ...(await openToAll(tx, input)), authorName: actor.userName }),
  async update({ tx, input: { id, version, ...changes }, at }) {
    return setNote(tx, await lockRow(tx, notes, { id, version }), await openToAll(tx, changes), at)
  },
  async move({ tx, input: { id, version, state }, at }) {
    const found = await lockRow(tx, notes, { id, version })
    if (![noteCan.publish(found.state), noteCan.withdraw(found.state)].includes(state)) throw IllegalMove({ state: found.state })
    // A note without a day gets the day on which it is published, not the one on which it was drafted.
    if (state === NoteState.published)
      await tx.updateTable('system.updateNote').set({ publishAt: at }).where('id', '=', id).whereRef('publishAt', '=', 'createdAt').execute()
    return setNote(tx, found, { state }, at)
  },
  async delete({ tx, input, at }) {
    await removeRow(tx, notes, await lockRow(tx, notes, input), at)
  },

  async unseen({ tx, actor }) {
    if (!(await settingsIn(tx)).notesShown) return []
    return run<Of<typeof ReadNote>>(
      tx,
      {
        sql: `select ${READ} from system.update_note n where state = ${NoteState.published} and publish_at <= now()
          and not exists (select from system.update_note_seen s where s.enterprise_id = scope_enterprise() and s.person_id = $1 and s.note_id = n.id)
          and publish_at > (select min(at) from system.login_log where enterprise_id = scope_enterprise() and person_id = $1 and outcome = ${SignInOutcome.right})
          order by publish_at desc, id desc limit ${UNSEEN_MAX}`,
      },
      [actor.userId],
    )
  },
  published: ({ tx }) =>
    run<Of<typeof ReadNote>>(
      tx,
      {
        sql: `select ${READ} from system.update_note where state = ${NoteState.published} and publish_at <= now() order by publish_at desc, id desc limit ${PUBLISHED_MAX}`,
      },
      [],
    ),
  async seen({ tx, input: { ids }, actor }) {
    await run(
      tx,
      {
        sql: 'insert into system.update_note_seen (person_id, note_id) select $1, id from system.update_note where id = any($2::uuid[]) on conflict do nothing',
      },
      [actor.userId, ids],
    )
  },
})

async function withReaders(tx: Tx, rows: readonly Row[]) {
  const counts = await run<{ id: string; n: number }>(
    tx,
    {
      sql: 'select note_id as id, count(*)::int as n from system.update_note_seen where enterprise_id = scope_enterprise() and note_id = any($1) group by 1',
    },
    [rows.map(({ id }) => id)],
  )
  return rows.map((row) => ({ ...row, seen: counts.find(({ id }) => id === row.id)?.n ?? 0 }))
}
async function setNote(tx: Tx, found: Row, changes: Partial<Row>, at: Instant): Promise<Row> {
  const made = await setRow(tx, notes, found, changes, at)
  await tell(tx, noteTopic, { ids: [found.id] })
  return made
}
