import { Secret, TOTP } from 'otpauth'
import { aDirectory, PEOPLE, READER, type TestDirectory } from '../../domains/identity/server/testing.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import { AS, bearer, csv, type Factories, type Maker, of, some } from './maker.ts'

const CAPABILITY = 'member:list:view'
/** A word that begins with a letter and has no capitals. */
const word = () => `t${some().toLowerCase()}`

/** People, rights, companies, sessions and what each person keeps for themselves. */
export function ready(maker: Maker): Factories {
  const { made, row, aPerson, admin, world } = maker
  const aMenu = () => made('identity.resource.add', { url: `/${word()}`, name: '试', nameEn: 'Trial' })
  const aButton = async () =>
    made('identity.button.add', { resourceId: (await aMenu()).id, code: word(), name: '试', nameEn: 'Trial', capability: CAPABILITY })
  /** One person has no more than twenty keys in force. */
  const noKeys = () => row('update identity.api_key set revoked_at = now() where revoked_at is null')
  const aKey = async () => {
    await noKeys()
    return made('identity.api-key.add', { name: '试', capabilities: [CAPABILITY], days: 1 })
  }
  const aView = () => made('identity.view.add', { list: 'trial', name: some(), shared: false, criteria: [] })
  const aCompany = (more = {}): Promise<{ id: number; username: string | null }> =>
    made('identity.enterprise.add', { name: `企业 ${some()}`, ...more })
  const aGuest = async () => ({ enterpriseId: (await aCompany()).id, custId: (await aPerson()).id })
  const anAdministrator = async () => {
    const { username } = await aCompany({ adminUsername: word(), adminName: '管理员' })
    return { custId: (await row('select id from identity.person where username = $1', [username])).id }
  }
  return {
    'identity.resource.add': async () => ({ url: `/${word()}` }),
    'identity.resource.update': async () => of(await aMenu()),
    'identity.resource.del': async () => ({ id: (await aMenu()).id }),
    'identity.button.add': async () => ({ resourceId: (await aMenu()).id, code: word(), capability: CAPABILITY }),
    'identity.button.update': async () => of(await aButton()),
    'identity.button.del': async () => ({ id: (await aButton()).id }),
    'identity.menu.click': async () => ({ menuId: (await row(`select id from identity.resource where component <> '' and not retired limit 1`)).id }),
    'identity.person.add': async () => ({ username: word() }),
    'identity.person.update-lock': async () => of(await aPerson()),
    'identity.api-key.add': async () => {
      await noKeys()
      return { capabilities: [CAPABILITY] }
    },
    'identity.api-key.revoke': async () => ({ id: (await aKey()).id }),
    'identity.view.update': async () => of(await aView()),
    'identity.view.delete': async () => ({ id: (await aView()).id }),
    'identity.enterprise.add': async () => ({ name: `企业 ${some()}` }),
    'identity.enterprise.update': async () => of({ id: (await aCompany()).id as never }),
    'identity.enterprise.delete': async () => ({ id: (await aCompany()).id }),
    'identity.enterprise.admit': aGuest,
    'identity.enterprise.dismiss': async () => {
      const guest = await aGuest()
      await made('identity.enterprise.admit', guest)
      return guest
    },
    'identity.enterprise.reset-administrator': anAdministrator,
    'identity.enterprise.reset-enterprise-password': anAdministrator,
    'identity.session.end': async () => {
      const { id, username, token } = await aPerson()
      await world.signIn(username)
      return { ...(await row('select id from identity.session where person_id = $1 order by started_at desc limit 1', [id])), [AS]: bearer(token) }
    },
    'identity.person.import': async () => csv({ 用户名: word(), 姓名: '试' }),
    'identity.department.import': async () => csv({ 部门名称: `部门 ${some()}` }),
    'identity.role.import': async () => csv({ 角色名称: `角色 ${some()}`, 数据范围: '本企业' }),
    'identity.enterprise.import': async () => csv({ 企业名称: `企业 ${some()}` }),
    'identity.resource.import': async () => csv({ 地址: `/${word()}`, 名称: '试', 英文名称: 'Trial' }),
    'platform.bin.undo': async () => {
      const { id } = await made('identity.department.add', { name: `部门 ${some()}`, parentId: undefined })
      await maker.asked(admin, 'identity.department.delete', { id })
      return { kind: 'identity.department', key: id }
    },
    ...factors(maker),
    ...directories(maker),
  }
}

/** A company's own directory, which answers. */
function directories({ asked, made, admin, aPerson }: Maker): Factories {
  const settings = async () => {
    over ??= await aDirectory(CLEAR)
    allowOutside([`127.0.0.1:${over.port}`])
    const { directory } = await asked(admin, 'identity.directory.get')
    return {
      ...{ version: directory?.version ?? 0, inUse: true, name: '试', host: '127.0.0.1', port: over.port, encryption: CLEAR, bindDn: READER.dn },
      ...{ secret: READER.password, baseDn: PEOPLE, filter: '(uid={name})', usernameAttribute: 'uid', byName: true },
    }
  }
  /** Set up already, so that there is a version to be right or wrong about. */
  const saved = async () => {
    await made('identity.directory.save', await settings())
    return settings()
  }
  const someoneThere = async () => {
    await saved()
    const account = word()
    over!.person(account)
    return { account }
  }
  const aLink = async () => ({ custId: (await aPerson()).id, ...(await someoneThere()) })
  return {
    'identity.directory.save': saved,
    'identity.directory.try': someoneThere,
    'identity.directory.link': aLink,
    'identity.directory.unlink': async () => {
      const link = await aLink()
      await asked(admin, 'identity.directory.link', link)
      return { id: link.custId }
    },
  }
}
/** Unencrypted, on this machine. */
const CLEAR = 3
let over: TestDirectory | undefined

/** The codes of an app: each of somebody who has none yet, since a code is good once. */
function factors({ asked, aPerson }: Maker): Factories {
  const begun = async () => {
    const { username, token } = await aPerson()
    const { secret } = await asked(token, 'identity.second-factor.begin', { password: digestOf(username, PASSWORD) })
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    return { token, code: (ahead = 0) => app.generate({ timestamp: Date.now() + ahead * STEP_MS }) }
  }
  return {
    'identity.second-factor.confirm': async () => {
      const { token, code } = await begun()
      return { code: code(), [AS]: bearer(token) }
    },
    'identity.second-factor.renew-recovery': async () => {
      const { token, code } = await begun()
      await asked(token, 'identity.second-factor.confirm', { code: code() })
      return { code: code(1), [AS]: bearer(token) }
    },
    'identity.second-factor.remove': async () => {
      const { token, code } = await begun()
      await asked(token, 'identity.second-factor.confirm', { code: code() })
      return { code: code(1), [AS]: bearer(token) }
    },
  }
}
/** A clock may be one step off: so the next code is good already. */
const STEP_MS = 30_000
