import { expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'

const calls = domains.flatMap(({ calls: served }) => served.map(({ call }) => call)).filter(({ own }) => !own)
const idsOf = (some: typeof calls) => some.map(({ id }) => id).sort()

/** A POST that names in its query what it is about, as the catalogue has it. */
const POSTS_WITH_QUERY =
  /\.(del|delete|remove|click|import-clause|statistic|count|export|update-status)|click-menu|department.tree|application-overview|copy-schedule|work-group-detail|query-tracker|map-info|warning-rule\.update/
test('calls.payload-default: a GET and a DELETE carry a query, and a POST a body, a form or a file unless the catalogue names its query', () => {
  expect(idsOf(calls.filter(({ method, payload }) => ['GET', 'DELETE'].includes(method) && payload !== 'query'))).toEqual([])
  expect(idsOf(calls.filter(({ id, method, payload }) => method === 'POST' && payload === 'query' && !POSTS_WITH_QUERY.test(id)))).toEqual([])
})

test('access.button-calls access.role-calls: what the screens of buttons and roles need is served', () => {
  const served = (noun: string) => idsOf(calls).filter((id) => id.startsWith(`identity.${noun}.`))
  expect(served('button')).toEqual(
    expect.arrayContaining(['add', 'del', 'get-all', 'get-current', 'get-current-no-page', 'update'].map((one) => `identity.button.${one}`)),
  )
  expect(served('role')).toEqual(
    expect.arrayContaining(['add', 'del', 'export-template', 'import', 'query', 'query-no-page', 'update'].map((one) => `identity.role.${one}`)),
  )
})
