import { run, type Tx } from '../../../../platform/server/database.ts'
import { on } from '../../../../platform/server/events.ts'
import { settingChanged, settingsIn } from '../../../system/server/api.ts'

/** A plain client keeps its token where a script can read it: its session ends after this, or sooner where the setting says so. */
const UNBOUND_H = 2

/** How long a session may be idle, and how long it lasts at most, as intervals: the settings as they are now. */
export async function lengthsIn(tx: Tx) {
  const { idleMinutes, sessionHours } = await settingsIn(tx)
  return { idle: `${idleMinutes} min`, atMost: `${sessionHours} h`, unboundAtMost: `${Math.min(sessionHours, UNBOUND_H)} h` }
}

/** Applies a shorter session length to open sessions too. */
export function followSettings(): void {
  on(settingChanged, 'identity.sessions', async ({ tx, data: { name } }) => {
    if (name !== 'idleMinutes' && name !== 'sessionHours') return
    const { idle, atMost, unboundAtMost } = await lengthsIn(tx)
    await run(tx, { sql: 'select identity.limit_sessions($1::interval, $2::interval, $3::interval)' }, [idle, atMost, unboundAtMost])
  })
}
