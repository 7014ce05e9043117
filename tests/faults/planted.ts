import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/**
 * Servers as nobody should build them, for the harness to find: `early` answers before it commits, `keyless` does again whatever is asked again.
 * `sound` does neither. `POST /?mark=…` with an Idempotency-Key writes the mark once.
 */
const [mistake, connectionString, port] = [process.env['MISTAKE'], process.env['DATABASE_URL'], process.env['PORT']]
const BETWEEN_MS = 40
const pool = new pg.Pool({ connectionString, max: 10 })

async function write(mark: string, key: string): Promise<void> {
  await pool.query(
    mistake === 'keyless'
      ? 'insert into planted.done (mark, key) values ($1, gen_random_uuid()::text)'
      : 'insert into planted.done (mark, key) values ($1, $2) on conflict (key) do nothing',
    mistake === 'keyless' ? [mark] : [mark, key],
  )
}
createServer((request, response) => {
  const mark = new URL(request.url!, 'http://planted').searchParams.get('mark')!
  const key = String(request.headers['idempotency-key'])
  const answer = () => response.end(JSON.stringify({ code: 200, data: null }))
  const work =
    mistake === 'early'
      ? (answer(), pause(BETWEEN_MS).then(() => write(mark, key)))
      : write(mark, key)
          .then(() => pause(BETWEEN_MS))
          .then(answer)
  work.catch(() => response.destroy())
}).listen(Number(port), '127.0.0.1')
