// The floor that W1's processor time is held against: no permission, no scope, no validation, no audit.
import { createServer } from 'node:http'
import pg from 'pg'

const [port, url, columns, from, to] = process.argv.slice(2) as [string, string, string, string, string]
const pool = new pg.Pool({ connectionString: url, max: 8 })
const where = `enterprise_id = 1 and park_code = $1 and status = 3 and seen_at >= $2 and seen_at <= $3 and third_platform is null`
createServer(async (request, reply) => {
  const values = [new URL(request.url!, 'http://x').searchParams.get('p'), from, to]
  const [page, count] = await Promise.all([
    pool.query({ name: 'page', text: `select ${columns} from parking.stay where ${where} order by seen_at desc, id desc limit 20`, values }),
    pool.query({ name: 'count', text: `select count(*)::int n from parking.stay where ${where}`, values }),
  ])
  const text = JSON.stringify({ code: 200, message: 'ok', data: { records: page.rows, total: count.rows[0].n } })
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}).listen(Number(port), '127.0.0.1', () => console.log('up'))
