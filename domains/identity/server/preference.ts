import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { preference } from '../contract/preference.ts'
import './tables.ts'

const TooLarge = refusal(
  'identity.preference-too-large',
  40231,
  '这项设置太大，无法保存；请减少条件或列',
  'This setting is too large to save: use fewer filters or columns',
  413,
)
const TooMany = refusal(
  'identity.preferences-too-many',
  40232,
  '个人设置已满，请先恢复一些默认设置',
  'There is no room for more personal settings; reset some to default first',
)
/** One value of a person. The largest real one, forty columns with widths, is 3 kB. */
const VALUE_MOST = 32_768
/** A choice per list and a few of the shell's: the console has some 200 lists. */
const NAMES_MOST = 500

export const calls = serve(preference, {
  listMine: ({ tx, actor }) =>
    tx.selectFrom('identity.preference').select(['name', 'value']).where('personId', '=', actor.userId).orderBy('name').execute() as Promise<never>,

  async put({ tx, input: { name, value }, actor, at }) {
    if (value === null) {
      await tx.deleteFrom('identity.preference').where('personId', '=', actor.userId).where('name', '=', name).execute()
      return
    }
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) > VALUE_MOST) throw TooLarge()
    await refuseTooMany(tx, actor.userId, name)
    const sql = `insert into identity.preference (person_id, name, value) values ($1, $2, $3::jsonb)
      on conflict (enterprise_id, person_id, name) do update set value = excluded.value, updated_at = $4`
    await run(tx, { sql }, [actor.userId, name, text, at])
  },
})

async function refuseTooMany(tx: Tx, personId: string, name: string) {
  const others = { sql: 'select count(*)::int as n from identity.preference where person_id = $1 and name <> $2' }
  const [kept] = await run<{ n: number }>(tx, others, [personId, name])
  if (kept!.n >= NAMES_MOST) throw TooMany()
}
