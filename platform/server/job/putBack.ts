import type pg from 'pg'

/** Cron looks a minute ahead. What it waits for longer was said by a clock that was put back since. */
export const isPutBack = (currentMs: number, expectedMs: number): boolean => expectedMs - currentMs > AHEAD_MS
const AHEAD_MS = 2 * 60_000

/**
 * Once a clock was put back, the times it had written before would delay every scheduled task, and all jobs of that time, until it
 * reaches them again: this makes them due as if the clock had always been right.
 */
export async function putRight(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update graphile_worker._private_known_crontabs set last_execution = date_trunc('minute', now()) where last_execution > now() + interval '1 minute'`,
  )
  await pool.query(
    `update graphile_worker._private_jobs set run_at = case when updated_at > now() + interval '1 minute' then now() + (run_at - updated_at) else now() end,
       created_at = least(created_at, now()), updated_at = now()
     where locked_at is null and (updated_at > now() + interval '1 minute' or payload -> '_cron' is not null and attempts = 0 and run_at > now() + interval '1 minute')`,
  )
}
