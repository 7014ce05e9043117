import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTask } from './start.ts'
import { deliver } from './deliver/deliver.ts'
import { aPost, later, MORNING, type Post } from './testing.ts'

let post: Post
beforeAll(async () => void (post = await aPost()))
afterAll(() => post.close())

const NIGHT = '2026-03-02T15:30:00.000Z' as typeof MORNING // half past eleven at night in the city
const EIGHT = '2026-03-03T00:00:00.000Z' as typeof MORNING

async function aTask(people: string[], fields: object = {}, templateFields: object = {}, channelFields: object = {}) {
  const [template, channel] = await Promise.all([post.aTemplate(templateFields), post.aChannel(channelFields)])
  const answer = await post.post('messageTask/insert', {
    name: '任务',
    templateId: template.id,
    channelId: channel.id,
    audience: { kind: 1, custIds: people },
    ...fields,
  })
  expect(answer.status).toBe(200)
  return { ...answer.data, template, channel } as { id: string; version: number; template: { id: string }; channel: { id: string; version: number } }
}
/** Submits by the clock of the test. */
async function begin(id: string, at: typeof MORNING) {
  await post.sql('update message.task set state = 1, plan_at = $2 where id = $1', [id, at])
  await post.server.house.writing(1, 'test', (tx) => startTask(tx, id, at))
}
const detail = async (id: string) => (await post.get('messageTask/detail', { id })).data
const records = async (taskId: string) => (await post.post('messageRecord/queryPage', { taskId })).data.records as any[]
const sentTo = (phone: string) => post.provider.notify.sent.filter(({ to }) => to === phone).length

describe('a task', () => {
  test('goes once to each recipient and is completed when every one is final', async () => {
    const people = await Promise.all([post.aPerson(), post.aPerson(), post.aPerson()])
    const task = await aTask(people)
    await begin(task.id, MORNING)
    await begin(task.id, MORNING) // a second start finds it begun
    expect(await detail(task.id)).toMatchObject({ state: 2, total: 3, waiting: 3 })
    await post.work(MORNING)
    expect(await detail(task.id)).toMatchObject({ state: 3, succeeded: 3, waiting: 0 })
    expect((await records(task.id)).map(({ sendState, retries }) => [sendState, retries])).toEqual([
      [2, 0],
      [2, 0],
      [2, 0],
    ])
  })

  test('asks again after 1, 5 and 30 minutes, then fails, then only the failed go again', async () => {
    const [good, bad] = [await post.aPerson(), await post.aPerson({ phone: '13900001111' })]
    const task = await aTask([good!, bad!])
    await begin(task.id, MORNING)
    const times: number[] = []
    for (let minute = 0; minute <= 40; minute++) {
      const before = post.provider.notify.counts.failed
      await post.work(later(MORNING, minute * 60))
      if (post.provider.notify.counts.failed > before) times.push(minute)
    }
    expect(times).toEqual([0, 1, 6, 36])
    expect(await detail(task.id)).toMatchObject({ state: 4, succeeded: 1, failed: 1 })
    const story = (await post.get('messageRecord/detail', { id: (await records(task.id)).find(({ sendState }) => sendState === 3).id })).data
    expect(story.attempts.map(({ outcome, key }: any) => [outcome, key])).toEqual(Array.from({ length: 4 }, () => [2, `${story.id}.1`]))
    expect(story.error).toContain('OPERATOR_BUSY')

    await post.sql(`update identity.person set phone = '13900004321' where id = $1`, [bad])
    expect((await post.post('messageTask/resendTask', { id: task.id })).data).toEqual({ resent: 1 })
    await post.sql(`update message.record set next_at = $2 where task_id = $1 and send_state = 0`, [task.id, later(MORNING, 3600)])
    await post.work(later(MORNING, 3600))
    expect(await detail(task.id)).toMatchObject({ state: 3, succeeded: 2, failed: 0 })
    expect(sentTo('13900004321')).toBe(1)
    expect((await post.post('messageTask/resendTask', { id: task.id })).code).toBe(40010)
  })

  test('waits for the end of the quiet hours, unless it is urgent or a code', async () => {
    const [person, other] = [await post.aPerson(), await post.aPerson()]
    const quiet = await aTask([person!])
    const urgent = await aTask([other!], { urgent: true })
    const code = await aTask([other!], {}, { kind: 5 })
    for (const { id } of [quiet, urgent, code]) await begin(id, NIGHT)
    await post.work(NIGHT)
    expect(await detail(quiet.id)).toMatchObject({ state: 2, waiting: 1, waitsForMorning: 1, nextAt: EIGHT })
    expect([(await detail(urgent.id)).state, (await detail(code.id)).state]).toEqual([3, 3])
    await post.work(later(EIGHT, -1))
    expect((await detail(quiet.id)).state).toBe(2)
    await post.work(EIGHT)
    expect((await detail(quiet.id)).state).toBe(3)
    // Nobody but its receiver reads a code.
    expect((await records(code.id))[0].content).toBe('••••••')
  })

  test('hands over to the backup channel once, to where that one finds the person', async () => {
    const mail = await post.aChannel({
      name: '邮件',
      type: 5,
      url: null,
      host: '127.0.0.1',
      port: post.provider.mailPort,
      sender: 'notice@kerbline.example',
      secret: null,
    })
    const person = await post.aPerson({ phone: '13800001111', email: 'driver@kerbline.example' })
    const task = await aTask([person], {}, {}, { backupChannelId: mail.id })
    await begin(task.id, MORNING)
    for (const minute of [0, 1, 6, 36]) await post.work(later(MORNING, minute * 60))
    const [row] = await records(task.id)
    expect(row).toMatchObject({ sendState: 2, backup: true, channelType: 5, toShown: 'dr***@kerbline.example' })
    expect(post.provider.letters.filter(({ to }) => to.includes('driver@kerbline.example'))).toHaveLength(1)
    expect((await detail(task.id)).state).toBe(3)
  })

  test('a number that does not exist is not tried again', async () => {
    const task = await aTask([await post.aPerson({ phone: '13800000000' })])
    await begin(task.id, MORNING)
    await post.work(MORNING)
    expect(await detail(task.id)).toMatchObject({ state: 6, failed: 1 })
    expect((await records(task.id))[0].retries).toBe(0)
  })

  test('cancelled, it takes back what has not left', async () => {
    const task = await aTask([await post.aPerson(), await post.aPerson()])
    await begin(task.id, NIGHT)
    const { version } = await detail(task.id)
    expect((await post.put('messageTask/update', { id: task.id, version, state: 5 })).status).toBe(200)
    await post.work(EIGHT)
    expect(await detail(task.id)).toMatchObject({ state: 5, withdrawn: 2, succeeded: 0 })
    expect((await post.put('messageTask/update', { id: task.id, version: version + 1, state: 5 })).code).toBe(40010)
  })

  test('its recipients are those of the moment when it starts', async () => {
    const department = (await post.sql<{ id: string }>(`insert into identity.department (enterprise_id, name) values (1, '夜班') returning id`))[0]!
      .id
    const child = (
      await post.sql<{ id: string }>(`insert into identity.department (enterprise_id, name, parent_id) values (1, '夜班一组', $1) returning id`, [
        department,
      ])
    )[0]!.id
    await post.aPerson({ departmentId: department })
    const task = await aTask([], { audience: { kind: 3, departmentIds: [department] } })
    await post.aPerson({ departmentId: child })
    await begin(task.id, NIGHT)
    await post.aPerson({ departmentId: department })
    expect((await detail(task.id)).total).toBe(2)
    expect(await records(task.id)).toHaveLength(2)
  })

  test('is refused before anything is sent: a value is missing, kinds differ, nobody is meant', async () => {
    const [template, channel] = await Promise.all([
      post.aTemplate({ content: '{{name}}：{{place}}停水', vars: [{ name: 'place', label: '地点', sample: '北门' }] }),
      post.aChannel(),
    ])
    const ask = (fields: object) =>
      post.post('messageTask/insert', { name: '任务', templateId: template.id, channelId: channel.id, audience: { kind: 4 }, state: 1, ...fields })
    expect(await ask({})).toMatchObject({ code: 40307, message: expect.stringContaining('place') })
    expect((await ask({ vars: { place: '北门' }, audience: { kind: 2 } })).code).toBe(40310)
    const hook = await post.aChannel({ type: 8, url: `${post.provider.url}/hook` })
    expect((await ask({ vars: { place: '北门' }, channelId: hook.id })).code).toBe(40316)
    expect(await post.sql('select 1 from message.record where template_id = $1', [template.id])).toEqual([])
  })
})

describe('limits', () => {
  test('a channel lets out no more in a second than its rate, whoever asks', async () => {
    const people = await Promise.all(Array.from({ length: 9 }, () => post.aPerson()))
    const task = await aTask(people, {}, {}, { ratePerSec: 3 })
    await begin(task.id, MORNING)
    const asked = () => post.provider.notify.counts.asked
    const before = asked()
    await Promise.all([deliver(post.server.house, 1, MORNING), deliver(post.server.house, 1, MORNING)])
    await post.work(MORNING)
    expect(asked() - before).toBe(3)
    await post.work(later(MORNING, 1))
    await post.work(later(MORNING, 2))
    expect(asked() - before).toBe(9)
  })

  test('a recipient gets no more in a day than the rule says, however often it is asked for: 1,000 tries, the cap holds', async () => {
    const { data: rule } = await post.get('messageRule/get')
    await post.post('messageRule/update', { version: rule.version, recipientDayCap: 5 })
    const template = await post.aTemplate({ kind: 5, content: '验证码 {{name}}' })
    const channel = await post.aChannel()
    for (let i = 0; i < 40; i++)
      await post.post('messageRecord/insert', { templateId: template.id, channelId: channel.id, addresses: ['13811112345'] })
    await post.sql(
      `insert into message.record (enterprise_id, first_channel_id, channel_id, channel_type, kind, address, send_state, next_at) select 1, $1, $1, 2, 5, '13811112345', 0, $2 from generate_series(1, 960)`,
      [channel.id, MORNING],
    )
    await post.sql(`update message.record set next_at = $1 where send_state = 0 and address = '13811112345'`, [MORNING])
    for (let second = 0; second < 3; second++) await post.work(later(MORNING, second))
    expect(sentTo('13811112345')).toBe(5)
    expect(await post.sql(`select send_state, count(*)::int as n from message.record where address = '13811112345' group by 1 order by 1`)).toEqual([
      { send_state: 2, n: 5 },
      { send_state: 5, n: 995 },
    ])
    await post.post('messageRule/update', { version: rule.version + 1, recipientDayCap: 20 })
  })
})
