import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askOutside, isPublic, resolveWith } from '../../../platform/server/outside.ts'
import { aPost, type Post } from './testing.ts'

let post: Post
beforeAll(async () => void (post = await aPost()))
afterAll(() => post.close())

const attempt = (id: string, address = '13800007777') => post.post('messageChannel/test', { id, address }).then(({ data }) => data)

test('its secret is written and never read: no answer, no list, no history holds it', async () => {
  const SECRET = 'a-secret-of-the-channel'
  const made = await post.aChannel({ secret: SECRET })
  const answers = [
    made,
    (await post.post('messageChannel/queryPage')).data,
    (await post.get('messageChannel/detail', { id: made.id })).data,
    await post.sql('select before, after from platform.change where entity = $1', ['message.channel']),
    (await post.put('messageChannel/update', { id: made.id, version: made.version, remark: '改' })).data,
  ]
  expect(JSON.stringify(answers)).not.toContain(SECRET)
  expect(answers[2]).toMatchObject({ hasSecret: true })
  // A field that was left out stays as it was.
  expect(await post.sql('select secret from message.channel where id = $1', [made.id])).toEqual([{ secret: SECRET }])
})

test('backups form no circle, however long, and a channel that is used stays', async () => {
  const [a, b, c] = [await post.aChannel(), await post.aChannel(), await post.aChannel()]
  const backUp = (of: { id: string; version: number }, by: { id: string }) =>
    post.put('messageChannel/update', { id: of.id, version: of.version, backupChannelId: by.id })
  expect([(await backUp(a, b)).status, (await backUp(b, c)).status]).toEqual([200, 200])
  expect((await backUp(c, a)).code).toBe(40302)
  expect((await post.server.ask(post.admin, 'DELETE', `/lbs/message/messageChannel/delete/${c.id}`)).code).toBe(40303)
})

test('one that lacks what its kind needs is refused, and says what', async () => {
  const answer = await post.post('messageChannel/insert', { name: '半成品', type: 2, url: `${post.provider.url}/send` })
  expect(answer).toMatchObject({ code: 40301, message: expect.stringContaining('secret') })
})

test('a channel that shall go elsewhere is given its secret again, or the new place would read it', async () => {
  const here = {
    type: 5,
    url: null,
    host: '127.0.0.1',
    port: post.provider.mailPort,
    tls: false,
    sender: 'notice@kerbline.example',
    account: 'notice',
    secret: 'right-password',
  }
  const mailbox = await post.aChannel(here)
  const gateway = await post.aChannel()
  const hook = await post.aChannel({ type: 8, url: `${post.provider.url}/hook`, account: null })
  const change = (of: { id: string; version: number }, changes: object) =>
    post.put('messageChannel/update', { id: of.id, version: of.version, ...changes })
  for (const [of, changes] of [
    [mailbox, { host: 'mail.elsewhere.example' }],
    [mailbox, { port: here.port + 1 }],
    [mailbox, { tls: true }],
    [mailbox, { account: 'other' }],
    [mailbox, { account: null }],
    [gateway, { url: 'http://elsewhere.example/send' }],
    [gateway, { account: 'other' }],
    [hook, { url: 'http://elsewhere.example/hook' }],
  ] as const)
    expect(await change(of, changes)).toMatchObject({ status: 422, code: 40321, data: Object.keys(changes) })
  // A change that keeps the address needs no secret, and a new address is accepted with it.
  const { secret: _, type: __, ...same } = here
  const said = await change(mailbox, { ...same, remark: '改' })
  expect(said.status).toBe(200)
  expect((await change({ id: mailbox.id, version: said.data.version }, { host: 'localhost', secret: 'another-password' })).status).toBe(200)
})

test('an account is what a header can hold', async () => {
  for (const account of ['a\r\nx-admin: 1', 'a\nb', '账号', 'a\u0000', 'a\u0000 '])
    expect(
      (await post.post('messageChannel/insert', { name: '渠道', type: 2, url: `${post.provider.url}/send`, account, secret: 'long-enough' })).status,
      account,
    ).toBe(400)
  expect(await post.aChannel({ account: ' a b\r\n' })).toMatchObject({ account: 'a b' })
})

test('a gateway is told by whom and when; a wrong secret is not believed', async () => {
  expect(await attempt((await post.aChannel()).id)).toMatchObject({ ok: true, answer: expect.stringContaining('200') })
  const forged = await post.aChannel({ secret: 'another-secret-altogether' })
  expect(await attempt(forged.id)).toMatchObject({ ok: false, answer: expect.stringContaining('401') })
})

test('a webhook is signed, and heard again it is the same delivery', async () => {
  const hook = await post.aChannel({ type: 8, url: `${post.provider.url}/hook`, account: null })
  expect(await attempt(hook.id)).toMatchObject({ ok: true })
  expect(post.provider.notify.counts).toMatchObject({ hooks: 1 })
})

describe('mail', () => {
  const aMailbox = (fields: object = {}) =>
    post.aChannel({ type: 5, url: null, host: '127.0.0.1', port: post.provider.mailPort, sender: '泊城 <notice@kerbline.example>', ...fields })
  test('goes out over SMTP with its own Message-ID', async () => {
    const channel = await aMailbox({ account: 'notice', secret: 'right-password' })
    expect(await attempt(channel.id, 'driver@kerbline.example')).toMatchObject({ ok: true })
    const letter = post.provider.letters.at(-1)!
    expect(letter).toMatchObject({ from: 'notice@kerbline.example', to: ['driver@kerbline.example'] })
    expect(letter.raw).toMatch(/^Message-ID: <test-[0-9a-f-]+@kerbline>$/im)
  })
  test('what the server refuses is refused, what it puts off is tried again', async () => {
    const channel = await aMailbox()
    expect(await attempt(channel.id, 'nobody@kerbline.example')).toMatchObject({ ok: false, answer: expect.stringContaining('no such mailbox') })
    expect(await attempt(channel.id, 'busy@kerbline.example')).toMatchObject({ ok: false, answer: expect.stringContaining('come again later') })
    expect(await attempt((await aMailbox({ account: 'notice', secret: 'wrong-password' })).id, 'driver@kerbline.example')).toMatchObject({
      ok: false,
    })
  })
})

describe('addresses that messages do not go to', () => {
  test('this machine, its network and the cloud’s metadata are not asked, by whatever name: 0 hits', async () => {
    let hits = 0
    const trap = createServer((_, answer) => (hits++, answer.end())).listen(0, '127.0.0.1')
    await new Promise((open) => trap.once('listening', open))
    const { port } = trap.address() as AddressInfo
    // A name that means the world at the first look and this machine at the second.
    let looks = 0
    resolveWith(async (name) => (name === 'rebind.example' ? [looks++ === 0 ? '93.184.216.34' : '127.0.0.1'] : ['127.0.0.1']))
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      'inside.example',
      'rebind.example',
      '169.254.169.254',
      '10.0.0.8',
      '192.168.1.1',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ]
    looks = 1
    for (const host of hosts) await expect(askOutside(`http://${host}:${port}/`, {}), host).rejects.toMatchObject({ refused: true })
    for (const address of ['file:///etc/passwd', 'ftp://example.com/', 'http://user:pw@example.com/', 'gopher://127.0.0.1'])
      await expect(askOutside(address, {})).rejects.toMatchObject({ refused: true })
    const hook = await post.aChannel({ type: 8, url: `http://localhost:${port}/hook` })
    expect(await attempt(hook.id)).toMatchObject({ ok: false })
    resolveWith(undefined)
    trap.close()
    expect(hits).toBe(0)
  })
  test('the name is looked up once: the address that was checked is the one that is connected to', async () => {
    let looks = 0
    resolveWith(async () => (looks++ === 0 ? ['192.0.2.1', '93.184.216.34'] : ['127.0.0.1']))
    await expect(askOutside('http://two.example/', {})).rejects.toMatchObject({ refused: true })
    resolveWith(undefined)
    expect(looks).toBe(1)
  })
  test('a redirect is not followed, a long or slow answer is cut', async () => {
    const { allowOutside } = await import('../../../platform/server/outside.ts')
    const odd = createServer((request, answer) => {
      if (request.url === '/away') answer.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      else if (request.url === '/long') answer.writeHead(200).end(Buffer.alloc(6 * 1024 * 1024))
      else answer.writeHead(200).write('.')
    }).listen(0, '127.0.0.1')
    await new Promise((open) => odd.once('listening', open))
    const { port } = odd.address() as AddressInfo
    allowOutside([`127.0.0.1:${port}`])
    const ask = (path: string) => askOutside(`http://127.0.0.1:${port}${path}`, {})
    await expect(ask('/away')).rejects.toThrow(/redirect/)
    await expect(ask('/long')).rejects.toThrow(/too long/)
    const begun = performance.now()
    await expect(ask('/slow')).rejects.toThrow(/within 5 s/)
    expect(performance.now() - begun).toBeLessThan(8_000)
    odd.closeAllConnections()
    odd.close()
  })
  test.each([
    ['8.8.8.8', true],
    ['100.64.0.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['2606:4700::1', true],
    ['::', false],
    ['fc00::1', false],
    ['2001:db8::1', false],
    ['::ffff:8.8.8.8', false],
  ])('%s: %s', (address, open) => expect(isPublic(address)).toBe(open))
})
