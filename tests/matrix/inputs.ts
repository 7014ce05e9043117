import fc from 'fast-check'
import type pg from 'pg'
import type { Call } from '../../platform/contract/call.ts'
import { columnsOf, type ImportCall } from '../../platform/contract/sheet.ts'
import { checkerOf } from '../../platform/server/call/input.ts'

/**
 * The things that inputs name, of each sort: rows of one enterprise (and one park), found by the name of the call's noun or of the
 * field.
 */
export interface Victim {
  /** `parking.park` → its row's `id` and `version`. */
  rows: ReadonlyMap<string, { id: string; version: number }>
  /** `parkCode` → `P003`. */
  fields: Readonly<Record<string, unknown>>
}

/** Nouns of calls whose rows lie elsewhere than in the table of the same name. */
const TABLES: Record<string, string> = {
  'parking.region': 'parking.area',
  'parking.record': 'parking.stay',
  'parking.clearing': 'parking.clearing',
  'settlement.order': 'settlement.order',
  'device.iot-device': 'device.device',
  'device.iot-product': 'device.product',
  'member.white-black': 'member.list',
  'message.news': 'message.news',
  'system.file': 'system.document',
  'system.export': 'platform.export_file',
  'parking.present': 'parking.stay',
  'after-sale.work-order': 'after_sale.work_order',
  'after-sale.suggestion': 'after_sale.suggestion',
  'after-sale.interview': 'after_sale.interview',
  'after-sale.case': 'after_sale.case',
}

/** One row of every table of the enterprise that has an id, of the park where it has one. */
export async function victimOf(owner: pg.Client, enterprise: number, parkCode: string): Promise<Victim> {
  const { rows: found } = await owner.query<{ name: string; id: string; version: number }>({
    name: 'one of each',
    text: await oneOfEach(owner),
    values: [enterprise, parkCode],
  })
  const rows = new Map(found.map(({ name, id, version }) => [name, { id, version }]))
  const one = async (sql: string) => (await owner.query<{ v: unknown }>(sql)).rows[0]?.v
  const fields = {
    ...Object.fromEntries([...rows].map(([name, { id }]) => [`${camel(name.split('.')[1]!)}Id`, id])),
    parkCode,
    gateCode: `${parkCode}-G01`,
    deviceNo: await one(`select device_no as v from device.device where enterprise_id = ${enterprise} and park_code = '${parkCode}' limit 1`),
    plateNo: await one(
      `select plate_no as v from parking.stay where enterprise_id = ${enterprise} and park_code = '${parkCode}' order by seen_at desc limit 1`,
    ),
    orderNo: await one(`select order_no as v from settlement.order where enterprise_id = ${enterprise} and park_code = '${parkCode}' limit 1`),
    custId: await one(`select id as v from identity.person where enterprise_id = ${enterprise} limit 1`),
    stayId: rows.get('parking.stay')?.id,
    ruleId: await one(`select rule_id as v from fee.rule where enterprise_id = ${enterprise} limit 1`),
    ruleVersionId: rows.get('fee.rule')?.id,
    segmentId: rows.get('fee.segment')?.id,
    orderId: rows.get('settlement.order')?.id,
    departmentId: rows.get('identity.department')?.id,
    dirId: rows.get('system.folder')?.id,
    toDirId: rows.get('system.folder')?.id,
    annexeId: rows.get('system.annexe')?.id,
    serverId: await one('select id as v from system.server limit 1'),
    channelId: rows.get('message.channel')?.id,
    templateId: rows.get('message.template')?.id,
    fileName: await one(`select name as v from system.file where enterprise_id = ${enterprise} limit 1`),
    // The number on a pile is its id, in every protocol and on every page.
    operatorId: await one(`select operator_id as v from charging.operator where enterprise_id = ${enterprise} limit 1`),
    ...Object.fromEntries(
      await Promise.all(
        ['station', 'equipment', 'connector'].map(async (noun) => [
          `${noun}Id`,
          await one(
            `select ${noun}_id as v from charging.${noun} where enterprise_id = ${enterprise} order by park_code = '${parkCode}' desc limit 1`,
          ),
        ]),
      ),
    ),
  }
  return { rows, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) }
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const statements = new WeakMap<pg.Client, Promise<string>>()
/** The statement that finds them, made once for each connection. */
function oneOfEach(owner: pg.Client): Promise<string> {
  const known = statements.get(owner) ?? statementFor(owner)
  statements.set(owner, known)
  return known
}
async function statementFor(owner: pg.Client): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string; park: boolean; version: boolean }>(`
    select n.nspname || '.' || quote_ident(c.relname) as name, bool_or(a.attname = 'park_code') as park, bool_or(a.attname = 'version') as version
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker')
    group by 1 having bool_or(a.attname = 'enterprise_id') and bool_or(a.attname = 'id' and a.atttypid = 'uuid'::regtype)`)
  const one = ({ name, park, version }: (typeof tables)[number]) => {
    const any = `select '${name.replaceAll('"', '')}' as name, id, ${version ? 'version' : '1 as version'} from ${name} where enterprise_id = $1`
    // One of the park is looked for first; no other is read then.
    return park ? `(${any} and park_code = $2 union all ${any} limit 1)` : `(${any} and $2::text is not null limit 1)`
  }
  return tables.map(one).join(' union all ')
}

/** A whole input that the call's schema takes. Throws when none can be made: then a factory is missing here, or the schema cannot be met. */
export function inputFor(call: Call<any, any>, victim: Victim, { optional = false } = {}): Record<string, unknown> {
  const [domain, noun] = call.id.split('.') as [string, string]
  const table = TABLES[`${domain}.${noun}`] ?? `${domain}.${noun.replaceAll('-', '_')}`
  const row = victim.rows.get(table)
  const made = sample(
    call.input as unknown as Schema,
    '',
    {
      ...victim.fields,
      ...(row && { id: row.id, version: row.version, ids: [row.id] }),
      ...OWN[call.id],
      ...('columns' in call && { format: 'csv' }),
    },
    optional,
  ) as Record<string, unknown>
  if ('row' in call) made.file = sheetFor(call as unknown as ImportCall<object>, victim)
  if (call.payload !== 'multipart') checkerOf(call)(structuredClone(made))
  return made
}
/** A whole input whose first moment or day is `from` and whose others are all `to`; nothing for a call that takes none. */
export function spanFor(call: Call<any, any>, victim: Victim, [from, to]: readonly [string, string]): Record<string, unknown> | undefined {
  const { properties = {} } = call.input as unknown as Schema
  const moments = Object.keys(properties).filter((name) => properties[name]!.format?.startsWith('date'))
  if (moments.length === 0) return undefined
  const written = (name: string, moment: string) => (properties[name]!.format === 'date' ? moment.slice(0, 10) : moment)
  const made = inputFor(call, victim, { optional: true })
  return { ...made, ...Object.fromEntries(moments.map((name, place) => [name, written(name, place ? to : from)])) }
}
/** As much as one body holds. */
const BODY_BYTES = 900_000
/** A whole input with every field, each as long as its schema lets it be, in as many rows as one body holds. */
export function largestFor(call: Call<any, any>, victim: Victim): Record<string, unknown> {
  const known: Record<string, unknown> = { ...victim.fields, ...OWN[call.id] }
  const schema = call.input as unknown as Schema
  for (let share = 1; ; share /= 2) {
    const made = largest(schema, '', known, share) as Record<string, unknown>
    if (JSON.stringify(made).length < BODY_BYTES || share < 1e-4) return made
  }
}
function largest(schema: Schema, name: string, known: Record<string, unknown>, share: number): unknown {
  if (schema.const !== undefined || schema.enum) return sample(schema, name, known, true)
  if (schema.anyOf) return largest(schema.anyOf[0]!, name, known, share)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' && schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([one]) => !SEARCH_ORDER.has(one))
        .map(([one, inner]) => [one, largest(inner, one, known, share)]),
    )
  if (type === 'array') {
    const { items = {}, maxItems, minItems = 0 } = schema
    if (maxItems === undefined) throw new Error(`The list ${name} has no bound: give it maxItems.`)
    const one = largest(items, name.replace(/s$/, ''), known, share)
    return Array.from({ length: Math.max(minItems, Math.floor(maxItems * share)) }, () => one)
  }
  if (known[name] !== undefined) return known[name]
  if ((type === 'integer' || type === 'number') && schema.maximum !== undefined) return schema.maximum
  if (type === 'string' && !schema.format && !schema.pattern && schema.maxLength !== undefined) return '长'.repeat(schema.maxLength)
  return sample(schema, name, known, true)
}
/** The usual order of a list stands; another one is tried by the lists' own tests. */
const SEARCH_ORDER = new Set(['orderByColumn', 'isAsc', 'queryMode', 'current', 'columns', 'format'])
/** A sheet of one row that names the victim's things, as somebody would who knows them. */
function sheetFor({ row }: ImportCall<object>, victim: Victim) {
  const columns = columnsOf(row)
  const value = sample(row as unknown as Schema, '', victim.fields, true) as Record<string, unknown>
  const cell = (one: unknown) => (Array.isArray(one) ? one.join('、') : one === undefined ? '' : String(one))
  const lines = [columns.map(({ label }) => label[0]), columns.map(({ name }) => cell(value[name]))]
  return { name: 'rows.csv', text: lines.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n') }
}
/** Input that a schema alone cannot give. */
const OWN: Record<string, Record<string, unknown>> = {
  'message.task.insert': { audience: { kind: 4 } },
  'message.task.audience': { audience: { kind: 4 } },
  'fee.rule.import': {
    document: { segments: [{ from: '00:00', to: '24:00', tiers: [{ toMin: null, unitMin: 60, price: 5 }] }], tierClock: 'segment' },
  },
}

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  anyOf?: Schema[]
  const?: unknown
}

function sample(schema: Schema, name: string, known: Record<string, unknown>, optional: boolean): unknown {
  if (name && known[name] !== undefined) return known[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((value) => value !== null)
  if (schema.anyOf) return sample(schema.anyOf[0]!, name, known, optional)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (schema['x-file' as never]) return { name: 'a.png', type: 'image/png', bytes: Buffer.from('a') }
  switch (type) {
    case 'object': {
      const { required = [] } = schema
      const names = optional ? Object.keys(schema.properties ?? {}).filter((one) => required.includes(one) || !LIST.has(one)) : required
      return Object.fromEntries(names.map((one) => [one, sample(schema.properties![one]!, one, known, false)]))
    }
    case 'array':
      return [sample(schema.items ?? {}, name.replace(/s$/, ''), known, false)]
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1)
    case 'boolean':
      return true
    case 'string':
      return textFor(schema)
    default:
      return {}
  }
}
const LIST = new Set(['current', 'limit', 'orderByColumn', 'isAsc', 'queryMode', 'exactTotal'])

const TEXTS = [
  '08:00',
  '/a:b',
  'picture',
  'P777',
  'A-1',
  'x',
  '2026-03-02',
  '0710-1234567',
  'a@b.cn',
  '1',
  'https://kerbline.example/a',
  'abcdefgh',
  '420607',
  'CNY',
  'trial:thing:view',
  'success',
  'idleMinutes',
  '/index',
  '/lbs/basic/sysFile/download?fileName=a.png',
  'payment',
  'SUCCESS',
  '1'.repeat(64),
]
function textFor({ format, pattern, minLength = 0, maxLength = Infinity }: Schema): string {
  if (format === 'uuid') return '01900000-0000-7000-8000-000000000000'
  if (format === 'date-time') return '2026-03-02T01:00:00Z'
  if (format === 'date') return '2026-03-02'
  const fits = TEXTS.map((text) => text.padEnd(minLength, 'x')).find(
    (text) => text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text)),
  )
  return fits ?? matching(pattern!, minLength, maxLength)
}

/** Some text of that pattern, the same each time. */
function matching(pattern: string, minLength: number, maxLength: number): string {
  const texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 200, seed: 1 })
  const fits = texts.find((text) => text.length >= minLength && text.length <= maxLength)
  if (fits === undefined) throw new Error(`No sample text fits ${pattern}: add one to TEXTS in tests/matrix/inputs.ts.`)
  return fits
}
