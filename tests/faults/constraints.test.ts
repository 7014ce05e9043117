import { afterAll, beforeAll, expect, test } from 'vitest'
import { constraintTold } from '../../platform/server/constraints.ts'
import { labelOfTable } from '../../platform/server/record/nouns.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server?.close())

test('a number that is in use already is named, in both languages', async () => {
  const operator = (operatorName: string) =>
    server.ask(admin, 'POST', '/lbs/charging/pc/charge/chargeOperator/saveOrUpdate', {
      operatorId: 'MTWICE001',
      operatorName,
      operatorTel1: '02788880000',
    })
  expect((await operator('甲')).status).toBe(200)
  expect(await operator('乙')).toMatchObject({
    status: 409,
    message: '已存在「运营商 ID」相同的充电运营商，请改填后再保存',
    data: { fields: ['operatorId'] },
  })
})

test('a key that is made of an expression is told by its columns, and not by those of its condition', () => {
  const fieldsOf = (schema: string, table: string, constraint: string) => constraintTold({ code: '23505', schema, table, constraint })?.data
  expect(fieldsOf('fee', 'step', 'step_up_to')).toEqual({ fields: ['segmentId', 'upToMin'] })
  expect(fieldsOf('system', 'folder', 'folder_name')).toEqual({ fields: ['parentId', 'name'] })
  expect(fieldsOf('charging', 'connector', 'connector_number')).toEqual({ fields: ['equipmentId', 'evseId', 'ocppConnectorNo'] })
})

test('every unique index, check and needed column of what people keep is told by its fields', async () => {
  const { rows: rules } = await server.house.pool.query<{ code: string; schema: string; table: string; constraint: string }>(RULES)
  const kept = rules.filter(({ schema, table }) => labelOfTable(`${schema}.${table}`))
  expect(kept.length).toBeGreaterThan(300)
  const bare = kept.filter((rule) => !constraintTold(rule)).map(({ schema, table, constraint }) => `${schema}.${table} ${constraint}`)
  expect(bare.sort()).toEqual(ELSEWHERE)
})
/** Refused by the noun itself before, or of what nobody types. */
const ELSEWHERE = [
  'after_sale.work_order work_order_link',
  'charging.card card_key',
  'charging.operator operator_own',
  'charging.platform platform_own',
  'dashboard.wall_link wall_link_token_hash_key',
  'fee.rehearsal rehearsal_begun_check',
  'identity.api_key api_key_key_hash_key',
  'identity.department department_enterprise_id_fkey',
  'identity.directory directory_enterprise_id_fkey',
  'identity.guest guest_enterprise_id_fkey',
  'identity.person person_enterprise_id_fkey',
  'identity.role role_enterprise_id_fkey',
  'message.channel channel_inner',
]
const RULES = `select case c.contype when 'c' then '23514' else '23503' end as code, t.relnamespace::regnamespace::text as schema, t.relname as "table", c.conname as "constraint"
  from pg_constraint c join pg_class t on t.oid = c.conrelid where c.contype in ('c', 'f')
  union all select '23505', t.relnamespace::regnamespace::text, t.relname, n.relname
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class n on n.oid = i.indexrelid where i.indisunique and not i.indisprimary`
