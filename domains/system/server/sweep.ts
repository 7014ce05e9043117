import { enterpriseOf, run } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/jobs.ts'
import { sweepStore } from './store.ts'

/** The store is one for all enterprises, so one of them sweeps it. */
const SWEEPER = 1

/** A file is written before its row; where the row then failed, or was deleted since, its bytes go the night after. */
export const sweep = task(
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
