import { addressOf } from '../../contract/call.ts'
import type { Served } from '../serve.ts'

/** The API document: the schemas are JSON Schema already, so it is a matter of putting them in their places. */
export function openapiOf(served: Served) {
  const paths: Record<string, Record<string, object>> = {}
  for (const { call } of served) (paths[addressOf(call)] ??= {})[call.method.toLowerCase()] = operation(call)
  const tags = [...new Set(served.map(({ call }) => nounOf(call.id)))].sort().map((name) => ({ name }))
  return { openapi: '3.1.0', info: { title: 'Kerbline 泊城', version: '1.0.0' }, tags, paths }
}
/** `parking.gate.add` stands under `parking.gate`. */
const nounOf = (id: string) => id.slice(0, id.lastIndexOf('.'))

const CONTENT = { body: 'application/json', form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' } as const

/** Fields beside a file may stand in the address as well as among the parts. */
const isBesideFile = ({ payload }: Served[number]['call'], schema: any) =>
  payload === 'multipart' && ['string', 'integer', 'boolean'].includes(schema.type)

function operation(call: Served[number]['call']) {
  const { properties = {}, required = [] } = call.input as any
  const inPath = (name: string) => call.path.includes(`{${name}}`)
  const parameters = Object.entries(properties)
    .filter(([name, schema]) => call.payload === 'query' || inPath(name) || isBesideFile(call, schema))
    .map(([name, schema]) => ({
      in: inPath(name) ? 'path' : 'query',
      name,
      schema,
      required: call.payload !== 'multipart' && required.includes(name),
    }))
  const envelope = { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' }, data: call.reply } }
  return {
    operationId: call.id,
    tags: [nounOf(call.id)],
    ...(call.does && { summary: call.does.join(' · ') }),
    'x-needs': call.needs,
    ...(call.own && { 'x-own': true }),
    ...(call.writes && { 'x-writes': true }),
    ...(parameters.length && { parameters }),
    ...(call.payload !== 'query' && { requestBody: { content: { [CONTENT[call.payload]]: { schema: call.input } } } }),
    responses: {
      200: { description: 'ok', content: call.file ? { 'application/octet-stream': {} } : { 'application/json': { schema: envelope } } },
    },
  }
}
