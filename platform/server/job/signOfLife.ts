import type pg from 'pg'

/**
 * A job taken by a worker that died is nobody's, and graphile-worker would keep it for four hours. So every worker holds a lock by its own name: PostgreSQL lets
 * it go when the worker's connection ends, however it ends, and the others see whose jobs may be given back.
 */
export interface SignOfLife {
  /** From now on the worker of this name lives. */
  of(worker: string): void
  end(): void
  /** The connection ended by itself: others take this worker for dead. */
  lost: Promise<void>
}

export async function signOfLife(pool: pg.Pool): Promise<SignOfLife> {
  const client = await pool.connect()
  let over = false
  const end = () => {
    if (over) return
    over = true
    client.release(true)
  }
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  const lose = () => {
    if (over) return
    end()
    resolve()
  }
  client.once('end', lose)
  // Without its lock a worker is as good as dead to the others, whatever became of the connection.
  return { of: (worker) => void client.query('select pg_advisory_lock(hashtextextended($1, 0))', [worker]).catch(lose), end, lost }
}

/** Jobs whose worker gives no sign go back to the queue. @returns how many */
export async function handBack(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ jobs: number }>(
    // The lock is taken only where nobody holds it, and let go with this statement.
    `with held as materialized (
       select locked_by as worker, count(*) as jobs, max(locked_at) as latest from graphile_worker.jobs where locked_by is not null group by 1
     ), dead as materialized (
       select worker, jobs from held where latest not between now() - $1 * interval '1 second' and now() + interval '1 minute' and pg_try_advisory_xact_lock(hashtextextended(worker, 0))
     )
     select coalesce(sum(jobs), 0)::int as jobs, graphile_worker.force_unlock_workers(array_agg(worker)) from dead`,
    [JUST_BEGUN_S],
  )
  return rows[0]!.jobs
}
/** A worker's first job and its lock are on their way together. */
const JUST_BEGUN_S = 5
