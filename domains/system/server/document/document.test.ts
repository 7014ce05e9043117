import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instantAt } from '../../../../platform/contract/time.ts'
import { run } from '../../../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { DEPTH_MAX, type FolderNode } from '../../contract/document.ts'
import { emptyBin } from './bin.ts'

let server: TestServer
let admin: string
let clerk: string
let other: string
const S = '/lbs/basic/sysFile'
const ask = (token: string, name: string, body: object = {}, method = 'POST') => server.ask(token, method, `${S}/${name}`, body)
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  other = await server.signIn('otheradmin')
  clerk = await aClerk()
})
afterAll(() => server.close())

/** Somebody who may put files here, and may not touch what others put here. */
async function aClerk(): Promise<string> {
  const screen = await server.house.reading(1, (tx) =>
    tx.selectFrom('identity.resource').select('id').where('url', '=', '/appManage/basicData/files').executeTakeFirstOrThrow(),
  )
  const button = await server.house.reading(1, (tx) =>
    tx.selectFrom('identity.button').select('id').where('resourceId', '=', screen.id).where('code', '=', 'edit').executeTakeFirstOrThrow(),
  )
  const { data } = await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', {
    ...{ name: '资料员', dataScope: 2, resourceIds: [screen.id], buttonIds: [button.id] },
  })
  await server.house.writing(1, 'test', (tx) =>
    run(tx, { sql: `insert into identity.person_role (person_id, role_id) select id, $1 from identity.person where username = 'operator'` }, [
      data.id,
    ]),
  )
  return server.signIn('operator')
}

let seed = 0
/** A picture that no other test sends. */
async function uploaded(token: string, name = '平面图.png'): Promise<string> {
  seed++
  const bytes = await sharp({ create: { width: 20 + (seed % 50), height: 20 + Math.floor(seed / 50), channels: 3, background: '#409EFF' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([bytes as never], { type: 'image/png' }), name)
  return (await server.ask(token, 'POST', '/lbs/basic/file/upload', form)).data.fileName
}
const aFolder = async (token = admin, parentId: string | null = null, name = `夹 ${++seed}`) =>
  (await ask(token, 'addFolder', { name, parentId })).data.id as string
const aFile = async (token = admin, dirId: string | null = null, name = `文件 ${++seed}.png`) =>
  (await ask(token, 'addFile', { name, dirId, annexes: [{ fileName: await uploaded(token) }] })).data
const list = async (body: object = {}) =>
  (await ask(admin, 'getList', { limit: 500, ...body })).data.records as { id: string; name: string; dirPath: string }[]

describe('a file', () => {
  test('lies in a folder, with attachments that come back under their own names', async () => {
    const dirId = await aFolder(admin, await aFolder(admin, null, '合同'), '2026')
    const made = await aFile(admin, dirId, '总平面图.png')
    expect(made).toMatchObject({
      name: '总平面图.png',
      dirPath: '合同 / 2026',
      authorName: '系统管理员',
      annexes: [{ name: '平面图.png', type: 'image/png' }],
    })
    const more = await ask(admin, 'addAnnexe', { id: made.id, fileName: await uploaded(admin), name: '修改说明.png' })
    expect(more.data.annexes.map(({ name }: { name: string }) => name)).toEqual(['平面图.png', '修改说明.png'])
    const got = await server.ask(admin, 'GET', `${S}/download`, { fileName: more.data.annexes[1].fileName })
    expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''%E4%BF%AE%E6%94%B9%E8%AF%B4%E6%98%8E.png")
    const renamed = await ask(admin, 'updateAnnexe', { annexeId: more.data.annexes[1].id, name: '终稿.png' })
    expect(renamed.data.annexes[1].name).toBe('终稿.png')
    expect((await ask(admin, 'deleteAnnexeByIds', { annexeIds: [more.data.annexes[1].id] })).status).toBe(200)
    expect((await server.ask(admin, 'GET', `${S}/download`, { fileName: more.data.annexes[1].fileName })).status).toBe(404)
  })
  test('of one name is there once; the same upload again gets a number', async () => {
    const dirId = await aFolder()
    await aFile(admin, dirId, '合同.png')
    const fileName = await uploaded(admin)
    expect((await ask(admin, 'addFile', { dirId, name: '合同.png', annexes: [{ fileName }] })).data.name).toBe('合同 (2).png')
    expect((await ask(admin, 'addFolder', { parentId: dirId, name: '合同.PNG' })).status).toBe(409)
    expect((await ask(admin, 'addFile', { dirId, name: '合同.png', annexes: [] })).status).toBe(409)
  })
  test('takes only what its author uploaded himself, in his own enterprise, and once', async () => {
    const fileName = await uploaded(admin)
    for (const token of [clerk, other]) expect((await ask(token, 'addFile', { name: `偷 ${++seed}`, annexes: [{ fileName }] })).status).toBe(422)
    expect((await ask(admin, 'addFile', { name: `两次 ${++seed}`, annexes: [{ fileName }, { fileName }] })).status).toBe(422)
    // The upload stays when the attachment goes.
    const { data } = await ask(admin, 'addFile', { name: `一次 ${++seed}`, annexes: [{ fileName }] })
    await ask(admin, 'deleteAnnexeByIds', { annexeIds: [data.annexes[0].id] })
    expect((await server.ask(admin, 'GET', `${S}/download`, { fileName })).status).toBe(200)
  })
  test('is found by a part of its name, in a folder and below it', async () => {
    const top = await aFolder()
    const below = await aFolder(admin, top)
    await aFile(admin, below, '照明改造方案.png')
    expect(await list({ dirId: top })).toEqual([])
    expect((await list({ dirId: top, deep: true })).map(({ name }) => name)).toEqual(['照明改造方案.png'])
    expect((await list({ name: '改造' })).map(({ name }) => name)).toEqual(['照明改造方案.png'])
    expect((await ask(admin, 'getList', { dirId: top, name: '%' })).data.records).toEqual([])
  })
  test('of an old version is not overwritten', async () => {
    const { id, version } = await aFile()
    expect((await ask(admin, 'updateFile', { id, version, name: `改 ${++seed}`, remark: '已审' })).data).toMatchObject({ remark: '已审' })
    expect((await ask(admin, 'updateFile', { id, version, name: `再改 ${++seed}` })).status).toBe(409)
  })
  test('keeps within the room of its author', async () => {
    const made = await aFile(clerk)
    await server.house.writing(1, 'test', (tx) => run(tx, { sql: 'update system.annexe set bytes = 1073741824 where id = $1' }, [made.annexes[0].id]))
    const full = await ask(clerk, 'addFile', { name: `满 ${++seed}`, annexes: [{ fileName: await uploaded(clerk) }] })
    expect(full).toMatchObject({ status: 429, message: '您的文件空间已用完，请先删除不需要的文件' })
    expect((await ask(clerk, 'getUsage', {}, 'GET')).data).toMatchObject({ used: 1073741824, files: 1 })
    await ask(clerk, 'deleteAnnexeByIds', { annexeIds: [made.annexes[0].id] })
    expect((await ask(clerk, 'addFile', { name: `空 ${++seed}`, annexes: [{ fileName: await uploaded(clerk) }] })).status).toBe(200)
  })
})

describe('a folder', () => {
  test('goes neither into itself nor below itself, nor too deep', async () => {
    const top = await aFolder()
    const below = await aFolder(admin, await aFolder(admin, top))
    expect(await ask(admin, 'moveDirToDir', { dirId: top, toDirId: top })).toMatchObject({
      status: 422,
      message: '不能移动到自身或其下级文件夹，请选择其他文件夹',
    })
    expect((await ask(admin, 'moveDirToDir', { dirId: top, toDirId: below })).status).toBe(422)
    let deep: string | null = null
    for (let level = 0; level < DEPTH_MAX; level++) deep = await aFolder(admin, deep)
    expect((await ask(admin, 'addFolder', { name: '太深', parentId: deep })).status).toBe(422)
    expect((await ask(admin, 'moveDirToDir', { dirId: top, toDirId: deep })).status).toBe(422)
  })
  test('of another enterprise is not there', async () => {
    const [mine, theirs] = [await aFolder(), await aFolder(other)]
    for (const [name, body] of [
      ['moveDirToDir', { dirId: mine, toDirId: theirs }],
      ['moveDirToDir', { dirId: theirs, toDirId: null }],
      ['addFile', { name: 'x', dirId: theirs }],
      ['getDirs', { dirId: theirs }],
      ['updateFolder', { dirId: theirs, version: 1, name: 'x' }],
    ] as const)
      expect((await ask(admin, name, body)).status).toBe(404)
    expect((await server.ask(admin, 'DELETE', `${S}/deleteFolder?dirId=${theirs}`)).status).toBe(404)
  })
  test('with anything of others in it is deleted and moved only by whoever manages their files', async () => {
    const mine = await aFolder(clerk)
    const deeper = await aFolder(clerk, mine)
    await aFile(admin, deeper)
    const refused = await server.ask(clerk, 'DELETE', `${S}/deleteFolder?dirId=${mine}`)
    expect(refused).toMatchObject({ status: 403, message: '其中有 1 项是他人的，需要「管理他人文件」权限' })
    expect((await ask(clerk, 'moveDirToDir', { dirId: deeper, toDirId: null })).status).toBe(403)
    expect((await server.ask(admin, 'DELETE', `${S}/deleteFolder?dirId=${mine}`)).status).toBe(200)
    expect((await ask(clerk, 'getDirs', { dirId: mine })).status).toBe(404)
  })
  test('comes back from the bin with all that went with it, and not with what was deleted before', async () => {
    const top = await aFolder()
    const below = await aFolder(admin, top)
    const [kept, gone] = [await aFile(admin, below), await aFile(admin, below)]
    await formDelete([gone.id])
    await server.ask(admin, 'DELETE', `${S}/deleteFolder?dirId=${top}`)
    expect((await list()).filter(({ id }) => id === kept.id)).toEqual([])
    const bin = await inBin()
    expect(bin.find(({ rowKey }) => rowKey === top)).toMatchObject({ kind: 'system.folder', authorName: '系统管理员' })
    expect(bin.find(({ rowKey }) => rowKey === gone.id)).toMatchObject({ kind: 'system.document', title: gone.name })
    expect(bin.some(({ rowKey }) => rowKey === below || rowKey === kept.id)).toBe(false)
    expect((await restored(top)).status).toBe(200)
    expect((await list({ dirId: below })).map(({ id }) => id)).toEqual([kept.id])
    expect((await restored(gone.id)).status).toBe(200)
    expect((await list({ dirId: below })).length).toBe(2)
    expect((await restored(gone.id)).status).toBe(404)
  })
  test('of somebody else comes back only for whoever manages the files of others, and purged it is in no bin', async () => {
    const file = await aFile(admin, null)
    await formDelete([file.id])
    const undo = (token: string) => server.ask(token, 'POST', '/lbs/basic/bin/undo', { kind: 'system.document', key: file.id })
    expect((await undo(clerk)).status).toBe(403)
    expect((await undo(other)).status).toBe(404)
    expect((await undo(admin)).status).toBe(200)
    await formDelete([file.id])
    expect((await ask(admin, 'purge', { binnedIds: [file.id] })).status).toBe(200)
    expect((await inBin()).some(({ rowKey }) => rowKey === file.id)).toBe(false)
    expect((await undo(admin)).status).toBe(404)
  })
  test('whose place is gone comes back at the top; what has its name gets a number', async () => {
    const top = await aFolder()
    const file = await aFile(admin, top, '同名.png')
    await formDelete([file.id])
    await aFile(admin, null, '同名.png')
    await server.ask(admin, 'DELETE', `${S}/deleteFolder?dirId=${top}`)
    await restored(file.id)
    expect((await list({ dirId: null })).map(({ name }) => name)).toEqual(expect.arrayContaining(['同名.png', '同名 (2).png']))
  })
  test('and all in it is gone for good after 30 days', async () => {
    const top = await aFolder()
    const file = await aFile(admin, await aFolder(admin, top))
    await server.ask(admin, 'DELETE', `${S}/deleteFolder?dirId=${top}`)
    const empty = (days: number) => server.house.writing(1, 'test', (tx) => emptyBin(tx, instantAt(Date.now() + days * 86_400_000)))
    await empty(29)
    expect((await inBin()).some(({ rowKey }) => rowKey === top)).toBe(true)
    await empty(31)
    expect(await inBin()).toEqual([])
    expect((await server.ask(admin, 'GET', `${S}/download`, { fileName: file.annexes[0].fileName })).status).toBe(404)
  })
})
/** Files and folders in the one bin, which a person sees through its list and brings back from it. */
const inBin = async (token = admin) =>
  (await server.ask(token, 'POST', '/lbs/basic/bin/query', { kind: ['system.folder', 'system.document'], limit: 500 })).data.records as {
    id: string
    kind: string
    rowKey: string
    title: string
    authorName: string
  }[]
const restored = async (key: string) => {
  const found = (await inBin()).find(({ rowKey }) => rowKey === key)
  return server.ask(admin, 'POST', '/lbs/basic/bin/restore', { id: found?.id ?? crypto.randomUUID() })
}
const formDelete = async (ids: string[], token = admin) =>
  (
    await fetch(`${server.url}${S}/deleteByIds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ ids: ids.join(',') }),
    })
  ).status

test('after any moves, deletions and returns a tree is a tree', async () => {
  const move = fc.record({ what: fc.constantFrom('add', 'move', 'move', 'delete', 'restore'), a: fc.nat(30), b: fc.nat(30) })
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 20, maxLength: 35 }), async (steps) => {
      // The model: each folder's parent, while it is there.
      const parents = new Map<string, string | null>()
      const deleted = new Map<string, Map<string, string | null>>()
      const root = await aFolder()
      parents.set(root, null)
      const below = (of: string): string[] => [of, ...[...parents].filter(([, parent]) => parent === of).flatMap(([id]) => below(id))]
      const depth = (of: string | null): number => (of === null ? 0 : 1 + depth(parents.get(of) ?? null))
      const height = (of: string): number => 1 + Math.max(0, ...[...parents].filter(([, parent]) => parent === of).map(([id]) => height(id)))
      for (const { what, a, b } of steps) {
        const there = [...parents.keys()]
        const [one, two] = [there[a % there.length]!, there[b % there.length]!]
        if (what === 'add' && depth(one) < DEPTH_MAX) parents.set(await aFolder(admin, one), one)
        if (what === 'move' && one !== root) {
          const fits = !below(one).includes(two) && depth(two) + height(one) <= DEPTH_MAX
          expect((await ask(admin, 'moveDirToDir', { dirId: one, toDirId: two })).status).toBe(fits ? 200 : 422)
          if (fits) parents.set(one, two)
        }
        if (what === 'delete' && one !== root) {
          const gone = below(one)
          expect((await server.ask(admin, 'DELETE', `${S}/deleteFolder?dirId=${one}`)).status).toBe(200)
          deleted.set(one, new Map(gone.map((id) => [id, parents.get(id)!])))
          for (const id of gone) parents.delete(id)
        }
        const back = [...deleted.keys()][a % Math.max(1, deleted.size)]
        if (what === 'restore' && back && parents.has(deleted.get(back)!.get(back)!)) {
          const status = (await restored(back)).status
          if (status === 422) continue // its place lies deeper now
          expect(status).toBe(200)
          for (const [id, parent] of deleted.get(back)!) parents.set(id, parent)
          deleted.delete(back)
        }
      }
      const seen = new Map<string, string | null>()
      const walk = (nodes: readonly FolderNode[]) => nodes.forEach((node) => (seen.set(node.id, node.parentId), walk(node.children)))
      walk((await ask(admin, 'getDirTree')).data.filter(({ id }: { id: string }) => id === root))
      expect(seen).toEqual(parents)
    }),
    { numRuns: 6 },
  )
}, 60_000)

const AT_ONCE = 20
test('no name is a path: five hundred tricks by people of three kinds get nothing', async () => {
  const [mine, theirs] = [await uploaded(admin), await uploaded(other)]
  const dots = ['../', '..\\', '..%2f', '%2e%2e/', '....//', '..;/', '%c0%ae%c0%ae/', '．．/', './', '/', '\\\\', 'file:///', 'C:\\']
  const ends = [
    'etc/passwd',
    'postgres.password',
    'demo-password',
    '.ssh/id_rsa',
    mine,
    theirs,
    `${mine}\u0000.png`,
    `${theirs}%00`,
    '.',
    '..',
    '*',
    '%',
  ]
  const tricks = dots.flatMap((dot) => ends.flatMap((end) => [1, 2, 4, 8].map((times) => dot.repeat(times) + end))).slice(0, 500)
  for (const [token, wanted] of [
    [admin, [mine]],
    [clerk, [mine]],
    [other, [theirs]],
  ] as const) {
    const statuses = new Set<number>()
    // A few at a time: five hundred at once would try how the server sheds load.
    for (let at = 0; at < tricks.length; at += AT_ONCE) {
      const some = tricks.slice(at, at + AT_ONCE)
      const answers = await Promise.all(some.map((fileName) => server.ask(token, 'GET', `${S}/download`, { fileName })))
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses].toSorted()).toEqual([400, 404])
    for (const fileName of wanted) expect((await server.ask(token, 'GET', `${S}/download`, { fileName })).status).toBe(200)
  }
  expect((await server.ask(admin, 'GET', `${S}/download`, { fileName: theirs })).status).toBe(404)
}, 60_000)
