import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { ownPassword } from './session.ts'

export const KeyState = dictionary('api_key_state', ['密钥状态', 'Key status'], {
  valid: [1, '有效', 'Valid', 'success'],
  expired: [2, '已过期', 'Expired', 'default'],
  revoked: [3, '已吊销', 'Revoked', 'error'],
})
/** A program's way in: capabilities that its maker had, of which it has those that its maker still has. Its text is shown once. */
export const ApiKey = entity(['接口密钥', 'API key'], {
  id: id<'ApiKeyId'>(),
  name: text('名称', 'Name', { max: 60 }),
  prefix: text('密钥开头', 'Key prefix'),
  personId: id<'PersonId'>('所属人员', 'Person'),
  personName: text('所属人员', 'Owner'),
  capabilities: shaped('权限', 'Permissions', listOf(text('权限', 'Permission', { max: 100 }), { max: 200 })),
  state: among('状态', 'Status', KeyState),
  expiresAt: instant('到期时间', 'Expires at'),
  lastUsedAt: orNone(instant('最近使用', 'Last used')),
  lastIp: orNone(text('最近来源', 'Last IP address')),
  revokedAt: orNone(instant('吊销时间', 'Revoked at')),
  revokedBy: orNone(text('吊销人', 'Revoked by')),
  createdAt: instant('创建时间', 'Created at'),
  version: whole('版本', 'Version'),
})
export const apiKeySearch = searchOf(ApiKey, { name: 'contains', personId: 'equals' }, { sort: ['createdAt'] })
/** No key lives longer. */
export const KEY_DAYS_MAX = 366
/** The prefix of every key: no session's token has it, and a search of source code for leaked keys finds it. */
export const KEY_BEGINS = 'kb_'

const days = whole('有效期', 'Valid for', { unit: 'day', min: 1, max: KEY_DAYS_MAX })
const edit = { service: 'security', needs: 'identity:api-key:edit', own: true } as const
export const apiKey = {
  query: call('identity.api-key.query', {
    service: 'security',
    post: '/apiKey/queryPage',
    needs: 'identity:api-key:view',
    own: true,
    body: paged(apiKeySearch),
    reply: pageOf(ApiKey),
  }),
  /** Returns the permissions that a person may give a key: their own, except those that give rights to people. */
  grantable: call('identity.api-key.grantable', { ...edit, get: '/apiKey/capabilities', query: empty, reply: listOf(text('权限', 'Permission')) }),
  /** Makes a key; somebody at another's open console cannot: see `confirmSelf`. */
  add: call('identity.api-key.add', {
    ...edit,
    post: '/apiKey/add',
    writes: true,
    does: ['新建密钥', 'Created an API key'],
    body: message({ name: ApiKey.properties.name, capabilities: ApiKey.properties.capabilities, days }, ownPassword),
    reply: message({ id: ApiKey.properties.id, key: text('密钥', 'Key') }),
  }),
  /** Revokes the caller's own key; others' with the permission to end their sessions. It takes effect on the next call. */
  revoke: call('identity.api-key.revoke', {
    ...edit,
    post: '/apiKey/revoke',
    writes: true,
    does: ['吊销密钥', 'Revoked an API key'],
    body: message({ id: ApiKey.properties.id }),
    reply: nothing,
  }),
}
