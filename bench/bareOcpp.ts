// The floor of piles' messages: a socket, one row written, an answer. No sign-in, no schema, no frame kept, no charge.
import pg from 'pg'
import { WebSocketServer } from 'ws'

const [port, url] = process.argv.slice(2) as [string, string]
const pool = new pg.Pool({ connectionString: url, max: 8 })
await pool.query(
  'create schema if not exists bench; create table if not exists bench.said (id text, action text, payload jsonb, at timestamptz default now())',
)
const server = new WebSocketServer({ port: Number(port), host: '127.0.0.1', handleProtocols: (asked) => [...asked][0]! })
server
  .once('listening', () => console.log('up'))
  .on('connection', (socket) => {
    socket.on('message', (data) => void answer(String(data)).then((text) => socket.send(text)))
  })
async function answer(text: string): Promise<string> {
  const [, id, action, payload] = JSON.parse(text) as [number, string, string, unknown]
  await pool.query({
    name: 'said',
    text: 'insert into bench.said (id, action, payload) values ($1, $2, $3)',
    values: [id, action, JSON.stringify(payload)],
  })
  return JSON.stringify([3, id, {}])
}
