import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from './api.ts'
import { filled, variablesIn } from './liquid.ts'
import { quietUntil } from './rule.ts'
import { aPost, MORNING, type Post } from './testing.ts'

let post: Post
beforeAll(async () => void (post = await aPost()))
afterAll(() => post.close())

describe('a template names variables and does nothing else', () => {
  test.each([
    '{% for i in (1..100000000) %}x{% endfor %}',
    '{{ name | upcase }}',
    '{{ a.b }}',
    '{{ a["b"] }}',
    '{{ 1 }}',
    '{% assign a = 1 %}',
    '{% include "x" %}',
    '{{ name',
    '{% raw %}{{name}}',
    '{% render "etc/passwd" %}',
    '{{ "x" | append: "y" }}',
    '{% liquid echo 1 %}',
    '{% comment %}x{% endcomment %}',
  ])('%s is refused', async (content) => {
    expect(await post.post('messageTemplate/insert', { code: 'bad.one', name: '坏', kind: 1, channelType: 1, content })).toMatchObject({
      status: 422,
      code: 40306,
    })
  })
  test('what it names must be declared; a value is text and is not looked at again', async () => {
    expect(await post.post('messageTemplate/insert', { code: 'bad.two', name: '坏', kind: 1, channelType: 1, content: '{{place}}' })).toMatchObject({
      code: 40306,
      message: expect.stringContaining('place'),
    })
    expect(variablesIn('{{ name }}，{{place}} {{- name -}}')).toEqual(['name', 'place'])
    const texts = { title: '', titleEn: '', content: '{{place}}', contentEn: '' }
    expect(filled(texts, { place: '{{secret}}{% for %}' }).content).toBe('{{secret}}{% for %}')
    expect(() => filled({ ...texts, title: '{{place}}' }, { place: 'a\r\nBcc: all@example.com' })).toThrow(/line break/)
    expect(() => filled(texts, {})).toThrow(/place/)
  })
  test('the preview says what is wrong instead of refusing, and fills the samples in', async () => {
    const { data } = await post.post('messageTemplate/preview', {
      title: '',
      content: '{{name}}：{{place}} {{other}}',
      vars: [
        { name: 'place', label: '地点', sample: '北门' },
        { name: 'idle', label: '没用', sample: '' },
      ],
    })
    expect(data).toMatchObject({ content: '张三：北门 {{other}}', unknown: ['other'], unused: ['idle'], problem: null })
  })
})

test('its states move by their table; in use it is not edited, and its code is its own', async () => {
  const draft = await post.aTemplate({ enabled: false })
  const set = (version: number, fields: object) => post.put('messageTemplate/update', { id: draft.id, version, ...fields })
  expect((await set(1, { state: 2 })).code).toBe(40010)
  expect((await set(1, { state: 1 })).status).toBe(200)
  expect((await set(2, { content: '改' })).code).toBe(40010)
  expect((await set(1, { state: 2 })).status).toBe(409)
  expect((await post.server.ask(post.admin, 'DELETE', `/lbs/message/messageTemplate/delete/${draft.id}`)).code).toBe(40010)
  expect((await post.post('messageTemplate/insert', { code: draft.code, name: '同码', kind: 1, channelType: 1, content: 'x' })).code).toBe(40320)
})

test('other domains send by a code: once for the same reason, not to who does not want it, inside the console where there is no template', async () => {
  const template = await post.aTemplate({
    kind: 3,
    channelType: 1,
    title: '{{what}}',
    content: '{{name}}',
    vars: [{ name: 'what', label: '事', sample: '' }],
  })
  const custId = await post.idOf('operator')
  const sending = { template: template.code, to: { custId }, vars: { what: '导出完成' }, dedupe: 'export:1' }
  const write = <T>(work: (tx: Parameters<typeof send>[0]) => Promise<T>) => post.server.house.writing(1, 'test', work)
  expect([await write((tx) => send(tx, sending)), await write((tx) => send(tx, sending))]).toEqual([1, 0])
  await expect(write((tx) => send(tx, { ...sending, vars: {}, dedupe: 'export:2' }))).rejects.toThrow(/what/)
  await expect(write((tx) => send(tx, { ...sending, template: 'no.such' }))).rejects.toThrow(/no\.such/)
  const otherwise = { title: ['告警', 'Alarm'], body: ['x', 'x'], kind: 2 } as const
  expect(await write((tx) => send(tx, { ...sending, template: 'no.such', otherwise }))).toBe(1)

  expect((await post.post('messageSubscription/update', { kinds: [3] }, post.operator)).status).toBe(200)
  await write((tx) => send(tx, { ...sending, dedupe: 'export:3' }))
  await write((tx) => send(tx, { ...sending, dedupe: 'export:4', urgent: true }))
  const states = await post.sql<{ send_state: number }>(`select send_state from message.record where cust_id = $1 and kind = 3 order by created_at`, [
    custId,
  ])
  expect(states.map(({ send_state }) => send_state)).toEqual([2, 6, 2])
  expect((await post.post('messageRecord/queryMessageRecord', { kind: [3] }, post.operator)).data.total).toBe(2)
})

test.each([
  ['22:00', '08:00', '2026-03-02T13:59:00.000Z', undefined],
  ['22:00', '08:00', '2026-03-02T14:00:00.000Z', '2026-03-03T00:00:00.000Z'],
  ['22:00', '08:00', '2026-03-02T23:59:59.000Z', '2026-03-03T00:00:00.000Z'],
  ['22:00', '08:00', '2026-03-03T00:00:00.000Z', undefined],
  ['22:00', '08:00', '2027-12-31T15:59:59.000Z', '2028-01-01T00:00:00.000Z'],
  ['22:00', '08:00', '2027-12-31T16:00:00.000Z', '2028-01-01T00:00:00.000Z'],
  ['22:00', '08:00', '2028-02-28T15:30:00.000Z', '2028-02-29T00:00:00.000Z'],
  ['22:00', '08:00', '2028-02-29T15:30:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['12:00', '13:30', '2026-03-02T04:10:00.000Z', '2026-03-02T05:30:00.000Z'],
  ['09:00', '09:00', MORNING, undefined],
])('quiet from %s to %s, at %s: until %s', (quietFrom, quietTo, at, until) => {
  const rule = { quiet: true, quietFrom, quietTo, recipientDayCap: 1, enterpriseDayCap: 1, version: 0 }
  expect(quietUntil(rule, at as typeof MORNING)).toBe(until)
})
