import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from '../testing.ts'
import { isOpenidOf } from './openid.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())

const BACK = 'http://127.0.0.1:1/back?a=1'
const authorize = (more: object = {}, cookie = '') => {
  const query = { appid: desk.keys.wechat.merchants[0]!.appid, redirect_uri: BACK, response_type: 'code', scope: 'snsapi_base', state: 's1', ...more }
  return fetch(`${desk.url}/connect/oauth2/authorize?${new URLSearchParams(query)}`, { redirect: 'manual', headers: { cookie } })
}
const codeOf = (answer: Response) => new URL(answer.headers.get('location')!).searchParams.get('code')!
async function token(code: string, more: object = {}): Promise<any> {
  const { appid, appSecret } = desk.keys.wechat.merchants[0]!
  const query = { appid, secret: appSecret, code, grant_type: 'authorization_code', ...more }
  return (await fetch(`${desk.url}/sns/oauth2/access_token?${new URLSearchParams(query)}`)).json()
}

test('a driver comes back silently with a code, which becomes the same openid every time', async () => {
  const answer = await authorize()
  const location = new URL(answer.headers.get('location')!)
  expect([location.searchParams.get('a'), location.searchParams.get('state')]).toEqual(['1', 's1'])
  const first = await token(codeOf(answer))
  expect(isOpenidOf(desk.keys.wechat.merchants[0]!.appid, first.openid as string)).toBe(true)
  const again = await authorize({}, answer.headers.get('set-cookie')!.split(';')[0])
  expect((await token(codeOf(again))).openid).toBe(first.openid)
  expect((await token(codeOf(await authorize()))).openid).not.toBe(first.openid)
})

test('a code is used once, by its own application, with its secret, in time', async () => {
  const code = codeOf(await authorize())
  expect((await token(code, { secret: 'x' })).errcode).toBe(40_125)
  expect((await token(code, { appid: 'wx1' })).errcode).toBe(40_013)
  const { appid, appSecret } = desk.keys.wechat.merchants[1]!
  expect((await token(code, { appid, secret: appSecret })).errcode).toBe(40_029)
  expect((await token(code)).scope).toBe('snsapi_base')
  expect((await token(code)).errcode).toBe(40_163)
  const late = codeOf(await authorize())
  desk.passes(5 * 60_000)
  expect((await token(late)).errcode).toBe(42_003)
})

test('for more than the openid the driver is asked first', async () => {
  const page = await authorize({ scope: 'snsapi_userinfo' })
  expect(await page.text()).toContain('<button name="act" value="agree"')
})

test('a wrong application, address or scope is shown to the driver', async () => {
  for (const more of [{ appid: 'wx1' }, { redirect_uri: 'javascript:alert(1)' }, { scope: 'all' }]) expect((await authorize(more)).status).toBe(400)
})
