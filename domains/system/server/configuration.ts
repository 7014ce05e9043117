import type { Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { refusal, Stale } from '../../../platform/server/refusal.ts'
import { json, lockRow, removeRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { configuration, DEFAULTS, type SettingName, settingNames, SettingNow, type Settings, valueFault } from '../contract/configuration.ts'
import { settingChanged } from './questions.ts'
import './tables.ts'
import { configurationTopic } from './topics.ts'

const BadValue = refusal('system.setting-value', 40107, '{zh}', '{en}', 422)
const SetAlready = refusal('system.setting-set', 40108, '该设置已被修改过，请刷新', 'This setting has already been changed: refresh and try again')

const rows = rowsOver(SettingNow, 'system.configuration', ['name', 'value'], { key: 'name' })

export const calls = serve(configuration, {
  async select({ tx }) {
    const set = new Map((await rowsOf(tx)).map((row) => [row.name, row]))
    return {
      settings: settingNames.map((name) => set.get(name) ?? { name, value: DEFAULTS[name], version: 0, updatedBy: null, updatedAt: null }),
    }
  },
  async add({ tx, input: { name, value, reason }, actor }) {
    refuseBad(name, value)
    if (reason) await because(tx, reason)
    const made = await run(
      tx,
      { sql: 'insert into system.configuration (name, value, updated_by) values ($1, $2::jsonb, $3) on conflict do nothing returning name' },
      [name, JSON.stringify(value), actor.userName],
    )
    if (made.length === 0) throw SetAlready()
    await changed(tx, name as SettingName)
  },
  async update({ tx, input: { name, value, version, reason }, actor, at }) {
    refuseBad(name, value)
    if (reason) await because(tx, reason)
    await setRow(tx, rows, await lock(tx, name, version), { value: json(value), updatedBy: actor.userName }, at)
    await changed(tx, name as SettingName)
  },
  async reset({ tx, input: { name, version }, at }) {
    await removeRow(tx, rows, await lock(tx, name, version), at)
    await changed(tx, name as SettingName)
  },
  console: ({ tx }) => settingsIn(tx),
})

/** Every setting as it is now. Read where it is used: there is nothing to remember, so a change is felt at once in every process. */
export async function settingsIn(tx: Tx): Promise<Settings> {
  const found = await rowsOf(tx)
  // A release may have narrowed a setting's bounds: a value that does not fit any more counts as not set.
  const set = found.filter(({ name, value }) => Object.hasOwn(DEFAULTS, name) && !valueFault(name, value)).map(({ name, value }) => [name, value])
  return { ...DEFAULTS, ...(Object.fromEntries(set) as Partial<Settings>) }
}

type Row = Of<typeof SettingNow>
const rowsOf = (tx: Tx) => run<Row>(tx, { sql: 'select name, value, version, updated_by, updated_at from system.configuration' }, [])

async function changed(tx: Tx, name: SettingName): Promise<void> {
  await announce(tx, settingChanged, { name })
  await tell(tx, configurationTopic, { ids: [name] })
}
function refuseBad(name: string, value: unknown) {
  const fault = valueFault(name as SettingName, value)
  if (fault) throw BadValue({ zh: fault[0], en: fault[1] })
}
/** A setting at its default has no row: that somebody reset it meanwhile is a change like any other. */
async function lock(tx: Tx, name: string, version: number) {
  const found = await lockRow(tx, rows, { id: name }).catch(() => undefined)
  if (found?.version !== version) throw Stale({ version: found?.version ?? 0, value: found?.value ?? null })
  return found
}
