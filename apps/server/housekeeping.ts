import { BIN_DAYS } from '../../platform/contract/records.ts'
import { run } from '../../platform/server/database.ts'
import { task } from '../../platform/server/job/jobs.ts'

/**
 * Tasks that belong to no domain: partitions of months are made ahead and dropped when empty, stored answers to old retries are
 * deleted.
 */
export const housekeeping = [
  task(
    'platform.months',
    async ({ tx }) => {
      await run(tx, { sql: 'select platform.ensure_months(), platform.drop_months()' }, [])
    },
    { every: '17 18 * * *' },
  ),
  task(
    'platform.forget-keys',
    async ({ tx }) => {
      await run(tx, { sql: 'select platform.forget_keys($1)' }, [KEYS_KEPT])
    },
    { every: '37 * * * *' },
  ),
  task(
    'platform.sweep-bin',
    async ({ tx }) => {
      await run(tx, { sql: 'select platform.sweep_bin($1)' }, [`${BIN_DAYS} days`])
    },
    { every: '47 18 * * *' },
  ),
]
/** A retry is answered from memory for at least a day. */
const KEYS_KEPT = '2 days'
