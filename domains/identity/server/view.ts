import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { View, view } from '../contract/view.ts'
import './tables.ts'

const NameTaken = refusal(
  'identity.view-name-taken',
  40251,
  '您已有同名的视图，请换一个名称',
  'You already have a view with this name: choose another name',
)
const TooMany = refusal('identity.views-too-many', 40252, '一个列表最多保存 {most} 个视图', 'You can save at most {most} views per list')
const NotYours = refusal(
  'identity.view-not-yours',
  40253,
  '这是 {name} 共享的视图，只有本人可以修改',
  'This view is shared by {name}; only {name} can change it',
  403,
)
/** Of one person in one list: more than a menu shows. */
const VIEWS_MOST = 50

const rows = rowsOver(View, 'identity.view')

export const calls = serve(view, {
  query: ({ tx, input: { list }, actor }) =>
    tx
      .selectFrom('identity.view as v')
      .innerJoin('identity.person as p', (join) => join.onRef('p.enterpriseId', '=', 'v.enterpriseId').onRef('p.id', '=', 'v.personId'))
      .select((of) => [
        'v.id',
        'v.list',
        'v.name',
        'v.shared',
        'v.criteria',
        'v.version',
        'p.name as madeBy',
        of('v.personId', '=', actor.userId).as('mine'),
      ])
      .where('v.enterpriseId', '=', actor.enterprise)
      .where('v.list', '=', list)
      .where((of) => of.or([of('v.personId', '=', actor.userId), of('v.shared', '=', true)]))
      .orderBy('v.name')
      .orderBy('v.id')
      .execute() as Promise<never>,

  async add({ tx, input: { criteria, ...rest }, actor }) {
    const mine = await tx.selectFrom('identity.view').select('name').where('personId', '=', actor.userId).where('list', '=', rest.list).execute()
    if (mine.length >= VIEWS_MOST) throw TooMany({ most: VIEWS_MOST })
    if (mine.some(({ name }) => name === rest.name)) throw NameTaken()
    const { id } = await addRow(tx, rows, { ...rest, personId: actor.userId, criteria: JSON.stringify(criteria) })
    return { id }
  },

  async update({ tx, input: { id, version, criteria, ...rest }, actor, at }) {
    const { list } = await refuseOthers(tx, id, actor.userId)
    const same = 'select id from identity.view where person_id = $1 and list = $2 and name = $3 and id <> $4'
    if (rest.name !== undefined && (await run(tx, { sql: same }, [actor.userId, list, rest.name, id])).length > 0) throw NameTaken()
    const found = await lockRow(tx, rows, { id, version })
    await setRow(tx, rows, found, { ...rest, ...(criteria && { criteria: JSON.stringify(criteria) }) }, at)
  },

  async delete({ tx, input: { id }, actor, at }) {
    await refuseOthers(tx, id, actor.userId)
    await removeRow(tx, rows, await lockRow(tx, rows, { id }), at)
  },
})

/** A private view of somebody else is not there at all. */
async function refuseOthers(tx: Tx, id: string, personId: string): Promise<{ list: string }> {
  const found = await tx
    .selectFrom('identity.view as v')
    .innerJoin('identity.person as p', (join) => join.onRef('p.enterpriseId', '=', 'v.enterpriseId').onRef('p.id', '=', 'v.personId'))
    .select(['v.personId', 'v.shared', 'v.list', 'p.name'])
    .where('v.id', '=', id)
    .executeTakeFirst()
  if (!found || (found.personId !== personId && !found.shared)) throw NotFound()
  if (found.personId !== personId) throw NotYours({ name: found.name })
  return found
}
