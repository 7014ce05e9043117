import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { view } from '../contract/view.ts'
import './tables.ts'

const NameTaken = refusal('identity.view-name-taken', 40251, '您已有同名的视图', 'You already have a view of this name')
const TooMany = refusal('identity.views-too-many', 40252, '一个列表最多保存 {most} 个视图', 'A list can have at most {most} views of yours')
const NotYours = refusal(
  'identity.view-not-yours',
  40253,
  '这是 {name} 共享的视图，只有本人可以修改',
  'This view is shared by {name}, who alone can change it',
  403,
)
/** Of one person in one list: more than a menu shows. */
const VIEWS_MOST = 50

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
    return (await tx
      .insertInto('identity.view')
      .values({ ...rest, personId: actor.userId, criteria: JSON.stringify(criteria) })
      .returning('id')
      .executeTakeFirstOrThrow()) as never
  },

  async update({ tx, input: { id, version, criteria, ...rest }, actor }) {
    const { list } = await refuseOthers(tx, id, actor.userId)
    const same = 'select id from identity.view where person_id = $1 and list = $2 and name = $3 and id <> $4'
    if (rest.name !== undefined && (await run(tx, { sql: same }, [actor.userId, list, rest.name, id])).length > 0) throw NameTaken()
    const { numUpdatedRows } = await tx
      .updateTable('identity.view')
      .set((of) => ({
        ...rest,
        ...(criteria && { criteria: JSON.stringify(criteria) }),
        version: of('version', '+', 1),
        updatedAt: of.fn('now') as never,
      }))
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw Stale()
  },

  async delete({ tx, input: { id }, actor }) {
    await refuseOthers(tx, id, actor.userId)
    await tx.deleteFrom('identity.view').where('id', '=', id).execute()
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
