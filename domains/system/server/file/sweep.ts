import { enterpriseOf, run } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { sweepStore } from './store.ts'

/** The enterprise whose task sweeps what all enterprises share. */
const SWEEPER = 1

/** A file is written before its row; where the row then failed, or was deleted since, its bytes go the night after. */
export const sweepFiles = task(
  'system.sweep-files',
  async ({ tx, at }) => {
    if (enterpriseOf(tx) !== SWEEPER) return
    await sweepStore(Date.parse(at), async (hashes) => {
      const rows = await run<{ referred: string }>(tx, { sql: 'select system.referred($1)' }, [hashes])
      return rows.map(({ referred }) => referred)
    })
  },
  { every: '41 18 * * *' },
)

/** Long enough to look into an attack. */
const STRANGERS_KEPT = '180 days'
const forgetStrangers = task(
  'system.forget-strangers',
  async ({ tx }) => {
    if (enterpriseOf(tx) === SWEEPER) await run(tx, { sql: 'select system.forget_strangers($1)' }, [STRANGERS_KEPT])
  },
  { every: '51 18 * * *' },
)
export const sweeps = [sweepFiles, forgetStrangers]
