import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announce } from '../../../platform/server/events.ts'
import { digestOf, PASSWORD, type TestServer } from '../../../tests/support/server.ts'
import { notice } from '../../system/server/api.ts'
import { aPost, type Post } from './testing.ts'

let post: Post
let server: TestServer
let admin: string
beforeAll(async () => {
  post = await aPost({ role: 'all' })
  ;({ server, admin } = post)
})
afterAll(() => post.close())

const idOf = async (token: string) => (await server.ask(token, 'GET', '/lbs/custom/account/getUserInfo')).data.custId as string
async function signIn(username: string, password: string, deviceid: string): Promise<string | undefined> {
  const body = new URLSearchParams({ username, password: digestOf(username, password) })
  const answer = await fetch(`${server.url}/lbs/security/authentication/form`, { method: 'POST', headers: { deviceid }, body })
  return ((await answer.json()) as { access_token?: string }).access_token
}
/** Returns a person's message box, newest first. */
const boxOf = async (custId: string, enterprise = 1) =>
  server.house.reading(enterprise, (tx) =>
    tx
      .selectFrom('message.record')
      .select(['title', 'titleEn', 'content', 'contentEn', 'channelType', 'sendState', 'urgent', 'templateCode', 'kind'])
      .where('custId', '=', custId as never)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  )
const titlesOf = async (custId: string, enterprise?: number) => (await boxOf(custId, enterprise)).map(({ title }) => title)

describe('people hear of what happens to their sign-in', () => {
  const FIRST = 'a-browser-at-the-desk'
  test('a browser they never used, once; the first of all is no news', async () => {
    const token = await signIn('auditor', PASSWORD, FIRST)
    const auditor = await idOf(token!)
    await signIn('auditor', PASSWORD, 'a-browser-at-home-1234')
    await expect.poll(() => titlesOf(auditor)).toEqual(['新设备登录'])
    await signIn('auditor', PASSWORD, 'a-browser-at-home-1234')
    await signIn('auditor', PASSWORD, FIRST)
    await signIn('auditor', 'Wrong-1234', 'a-third-browser-12345')
    const [one, ...more] = await boxOf(auditor)
    expect(more).toEqual([])
    expect(one).toMatchObject({ titleEn: 'Sign-in from a new device', channelType: 1, sendState: 2, urgent: true, kind: 1 })
    expect(one!.content).toContain('127.0.0.1')
  })
  test('five wrong passwords, told to the one who was locked and in their company', async () => {
    const other = await idOf(await server.signIn('otheradmin'))
    for (let i = 0; i < 7; i++) await signIn('otheradmin', `Wrong-${i}`, 'a-stranger-somewhere')
    await expect.poll(() => titlesOf(other, 2)).toEqual(['账号曾被锁定'])
    expect(await titlesOf(other, 1)).toEqual([])
  })
  test('a password that they changed, and one that somebody else made for them', async () => {
    const token = await server.signIn('operator')
    const operator = await idOf(token)
    const digest = digestOf('operator', 'Another-1234')
    await server.ask(token, 'POST', '/lbs/custom/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
    await expect.poll(() => titlesOf(operator)).toEqual(['密码已修改'])
    expect((await server.ask(admin, 'POST', '/lbs/custom/person/resetPassword', { custId: operator })).message).toBe('ok')
    await expect.poll(() => titlesOf(operator)).toEqual(['密码已被重置', '密码已修改'])
    expect((await boxOf(operator))[0]!.content).toContain('系统管理员')
  })
})

describe('a company’s own template', () => {
  const aTemplate = (code: string, channelType: number, content: string) =>
    post.aTemplate({ code, channelType, content, titleEn: '', contentEn: '', vars: [{ name: 'server', label: '服务器', sample: '甲' }] })
  const alarm = (template: string, vars: Record<string, string>) =>
    server.house.writing(1, 'test', async (tx) =>
      announce(tx, notice, { people: [await idOf(admin)], template, vars, kind: 2, title: ['标题', 'Title'], body: ['正文', 'Body'], link: null }),
    )
  const told = async () => (await boxOf(await idOf(admin))).map(({ content, channelType }) => `${channelType} ${content}`)

  test('of the console takes the place of the built-in words', async () => {
    await aTemplate('alarm.one', 1, '{{server}} 出事了')
    await alarm('alarm.one', { server: '甲机' })
    await expect.poll(told).toEqual(['1 甲机 出事了'])
  })
  test('of another channel, or one that cannot be filled, leaves the console its words', async () => {
    await aTemplate('alarm.two', 1, '{{server}} 又出事了')
    await alarm('alarm.two', {})
    await expect.poll(told).toEqual(['1 正文', '1 甲机 出事了'])
    await aTemplate('alarm.three', 2, '{{server}} 短信')
    await alarm('alarm.three', { server: '乙机' })
    await expect.poll(async () => (await told()).length).toBe(3)
    expect((await told())[0]).toBe('1 正文')
  })
})
