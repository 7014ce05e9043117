import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  exact,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Person } from './person.ts'
import { client, opened } from './session.ts'

export const Encryption = dictionary('directory_encryption', ['加密方式', 'Encryption'], {
  ldaps: [1, 'LDAPS', 'LDAPS'],
  startTls: [2, 'StartTLS', 'StartTLS'],
  none: [3, '不加密（仅限本机）', 'None (this machine only)'],
})
/** The result of looking a person up. */
export const LookUp = dictionary('directory_look_up', ['查找结果', 'Result'], {
  found: [1, '已找到', 'Found', 'success'],
  forbidden: [2, '服务器地址在本平台不允许访问的网络内', 'The server lies in a network that this platform may not connect to', 'error'],
  unreachable: [3, '无法连接服务器，请检查地址和端口', 'The server cannot be reached; check the host and the port', 'error'],
  silent: [4, '服务器在 5 秒内没有应答', 'The server did not answer within 5 seconds', 'error'],
  tls: [5, '加密连接失败，请检查加密方式和 CA 证书', 'The encrypted connection failed; check the encryption and the CA certificate', 'error'],
  bind: [6, '绑定账号或密码不正确', 'The bind account or its password is wrong', 'error'],
  base: [7, '搜索起点（Base DN）不存在', 'The base DN does not exist', 'error'],
  nobody: [8, '没有找到该用户', 'Nobody was found', 'warning'],
  several: [9, '找到多个用户，过滤条件应只匹配一个', 'More than one was found; the filter must match only one', 'warning'],
  odd: [10, '服务器的应答无法处理', 'The server’s answer cannot be used', 'error'],
})

/** RFC 4512: a name or an object identifier. */
const attribute = (zh: string, en: string) => text(zh, en, { max: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9.;-]*$' })
/** A company's own directory (LDAP), by which its people may sign in. The password of its account is written and never read again. */
export const Directory = entity(['目录服务', 'Directory (LDAP)'], {
  inUse: yes('启用', 'In use'),
  name: text('名称', 'Name', { max: 40 }),
  host: text('服务器', 'Host', { max: 200, pattern: '^[^\\s/\\[\\]]+$' }),
  port: whole('端口', 'Port', { min: 1, max: 65_535 }),
  encryption: among('加密方式', 'Encryption', Encryption),
  ca: orNone(text('CA 证书', 'CA certificate', { max: 20_000 })),
  bindDn: text('绑定账号', 'Bind DN', { max: 300, pattern: '[=@\\\\]' }),
  baseDn: text('搜索起点', 'Base DN', { max: 300, pattern: '=' }),
  filter: text('用户过滤条件', 'User filter', { max: 500, pattern: '=\\{name\\}' }),
  usernameAttribute: attribute('用户名属性', 'Username attribute'),
  nameAttribute: orNone(attribute('姓名属性', 'Display name attribute')),
  mailAttribute: orNone(attribute('邮箱属性', 'E-mail attribute')),
  byName: yes('按用户名自动关联', 'Link by username'),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
})
const { updatedAt, ca, nameAttribute, mailAttribute, ...needed } = Directory.properties
/** The name typed at the sign-in page, which replaces `{name}` in the filter. */
const account = text('目录账号', 'Directory account', { max: 64 })

/** Somebody of the company whose account is tied to an entry of the directory. */
export const DirectoryLink = entity(['目录关联', 'Directory link'], {
  id: id<'PersonId'>(),
  username: text('用户名', 'Username'),
  name: text('姓名', 'Name'),
  createdAt: instant('关联时间', 'Linked at'),
})
export const linkSearch = searchOf(DirectoryLink, { username: 'startsWith', name: 'equals' }, { sort: ['createdAt'] })

const anybody = { service: 'security', needs: 'public', own: true } as const
const view = { service: 'security', needs: 'identity:directory:view', own: true } as const
const edit = { service: 'security', needs: 'identity:directory:edit', own: true } as const
export const directory = {
  /** Those that the sign-in page offers. */
  offer: call('identity.directory.offer', {
    ...anybody,
    get: '/directory/offer',
    query: empty,
    reply: listOf(entity({ enterprise: whole('企业编号', 'Enterprise id', { min: 1 }), name: Directory.properties.name })),
  }),
  /** The password itself: a directory takes nothing else. It is handed on, and kept nowhere. */
  login: call('identity.directory.login', {
    ...anybody,
    post: '/directory/login',
    writes: true,
    does: ['通过目录服务登录', 'Signed in by the directory'],
    body: message(
      { enterprise: whole('企业编号', 'Enterprise id', { min: 1 }), username: account, password: exact(text('密码', 'Password', { max: 128 })) },
      client,
    ),
    reply: opened,
  }),
  get: call('identity.directory.get', {
    ...view,
    get: '/directory/get',
    query: empty,
    reply: message({ directory: orNone(shaped('目录服务', 'Directory', Directory)) }),
  }),
  /** `version` 0 for the first time. The secret stays where it is left out, and is asked for again when it would go elsewhere. */
  save: call('identity.directory.save', {
    ...edit,
    post: '/directory/save',
    writes: true,
    does: ['设置目录服务', 'Set up the directory'],
    body: message(needed, { ca, nameAttribute, mailAttribute, secret: orNone(exact(text('绑定密码', 'Bind password', { max: 200 }))) }),
    reply: Directory,
  }),
  /** Looks somebody up as a sign-in does, and says in words what failed. Nothing is kept of it. */
  try: call('identity.directory.try', {
    ...edit,
    post: '/directory/try',
    writes: true,
    does: ['试查目录服务', 'Tried the directory'],
    body: message({ account }),
    reply: message({
      result: among('结果', 'Result', LookUp),
      answer: text('服务器应答', 'Answer', { min: 0, max: 300 }),
      ms: whole('耗时', 'Duration', { unit: 'ms' }),
      dn: orNone(text('条目', 'Entry', { max: 1000 })),
      username: orNone(text('用户名', 'Username', { max: 200 })),
      name: orNone(text('姓名', 'Display name', { max: 200 })),
      email: Person.properties.email,
      person: orNone(text('本平台人员', 'User here')),
    }),
  }),
  links: call('identity.directory.links', { ...view, post: '/directory/links', body: paged(linkSearch), reply: pageOf(DirectoryLink) }),
  /** Ties somebody to the entry that the directory finds for that account, by whatever name they have here. */
  link: call('identity.directory.link', {
    ...edit,
    post: '/directory/link',
    writes: true,
    does: ['关联目录账号', 'Linked a directory account'],
    body: message({ custId: id<'PersonId'>('员工', 'User'), account }),
    reply: nothing,
  }),
  unlink: call('identity.directory.unlink', {
    ...edit,
    post: '/directory/unlink',
    writes: true,
    does: ['解除目录关联', 'Removed a directory link'],
    body: message({ id: DirectoryLink.properties.id }),
    reply: nothing,
  }),
}
