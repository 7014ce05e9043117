import { expect, test } from 'vitest'
import { namedCodes } from './codes.ts'

const planted = (file: string, text: string) => ({ file, text, imports: [] })
const LISTS = planted('domains/parking/contract/planted.ts', "export const Lane = { relay: among('分合', 'Switch', Relay) }")
const moved = 'export async function moved(tx: Tx, order: Order, from: StatusCode, to: StatusCode, n: number) {}'
const ended = 'export const ended = (tx: Tx, reason: CodeOf<typeof Reason> = Reason.silent) => tx'
const HOME = planted('domains/parking/server/home.ts', `${moved}\n${ended}`)
const foundIn = (file: string, text: string) => namedCodes([LISTS, HOME, planted(file, text)])

test.each([
  'if (stay.state === 2) throw NotFound()',
  'const asked = { state: 2, at }',
  'const asked = { kind: own ? 3 : 4 }',
  'const asked = { status: [1, 2] }',
  'const sent = { relay: 1 }',
  'if ((stay.status ?? 1) === PRESENT) throw NotFound()',
  'const open = [1, 2].includes(stay.payState)',
  "tx.selectFrom('parking.stay').where('payState', 'in', [1, 4])",
  'const sql = `select id from parking.stay where status in (1, 2)`',
  'const sql = `select id from parking.stay where use_status not in (3, 4)`',
  'const sql = `select id from parking.lane where relay <> 0`',
  'const sql = `update parking.stay set status = case when paid_fen = 0 then 5 else 7 end`',
  'const sql = `select sum(case kind when 1 then fen else 0 end) from parking.stay`',
  "import { moved } from './home.ts'\nmoved(tx, settled, 1, 2, 9)",
  "import { ended as over } from './home.ts'\nover(tx, late ? 2 : Reason.told)",
  'const of = (state: 0 | 1) => count(state)\nof(1)',
])('a server is told of %s', (text) => {
  expect(foundIn('domains/parking/server/planted.ts', text).length).toBeGreaterThan(0)
  expect(foundIn('city/planted.ts', text).length).toBeGreaterThan(0)
})
test.each(['if (row.state === 2) throw row', 'const first = { kind: 2 }', '<State relay={1} />', 'const kind = CarKind.entries[carKind ?? 9]'])(
  'a screen is told of %s',
  (text) => {
    expect(foundIn('domains/parking/web/Planted.tsx', text).length).toBeGreaterThan(0)
  },
)
test.each([
  'const asked = { state: SessionStatus.left, at }',
  'interface Asked { state: 1 | 2 }',
  'const sql = `select id from parking.stay where status in (${SessionStatus.left}) and paid_fen = 0`',
  'if (error.status === 409) throw error',
  "const answer = { status: 404, body: 'path' }",
  "import { moved } from './home.ts'\nmoved(tx, settled, OrderStatus.paying, OrderStatus.paid, 9)",
  'for (let place = 1; place < lines.length; place++) continue',
])('nobody is told of %s', (text) => {
  expect(foundIn('domains/parking/server/planted.ts', text)).toEqual([])
})
test('another domain’s names are its own, and whoever plays another company speaks its words', () => {
  expect(foundIn('domains/ledger/server/planted.ts', 'const sent = { relay: 1 }')).toEqual([])
  expect(foundIn('city/partner/planted.ts', 'const sent = { StationStatus: 50 }')).toEqual([])
})
