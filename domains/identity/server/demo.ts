import type { House } from '../../../platform/server/domain.ts'
import { SEES_WHOLE } from '../../../platform/contract/personal.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { DataScope, RoleGrants } from '../contract/role.ts'
import { digestOf, hashed } from './signIn/password.ts'
import { ensureEnterprise, ensurePerson, ensureRole, PLATFORM } from './people/people.ts'
import './tables.ts'

export const DEMO_ENTERPRISE = 1
export const OTHER_ENTERPRISE = 2
/** The operator's two parks and their district. */
const OPERATOR_PARKS = ['P001', 'P002', 'R001']
/** Screens and their buttons that an operator of parks works with; whatever begins so. */
const OPERATES = [
  '/index',
  '/operation/',
  '/assetManage/parkingAndFacility/',
  '/assetManage/roadParking/',
  '/assetManage/person/charging',
  '/assetManage/person/till',
  '/userCenter/arrearage/',
  '/extendedBusiness/etc/',
  '/recharge/chargingStation',
  '/recharge/list',
  '/recharge/chargingPileList',
  '/recharge/chargingQrCode',
  '/recharge/chargingStrategy',
  '/recharge/chargingOrder/',
  '/recharge/chargingRealTimeMonitoring',
  '/recharge/chargingLoad',
  '/recharge/gis',
  '/recharge/chargingFault',
  '/recharge/chargingDanger',
  '/streetLamp/',
]
/** Settings that the parks' company keeps to itself: an operator only views them. */
const NOT_FOR_OPERATORS: readonly string[] = [
  SEES_WHOLE,
  'fee:rule:edit',
  'parking:park:edit',
  'parking:park:add',
  'parking:park:delete',
  'parking:clearing:approve',
  'roadside:district:edit',
  'roadside:section:edit',
  'roadside:berth:edit',
  'settlement:refund:approve',
  'settlement:waiver:approve',
  'settlement:shift:settle',
  'settlement:shift:verify',
  'arrears:appeal:decide',
  'arrears:closing:approve',
  'after-sale:order:manage',
  'arrears:etc:verify',
  'arrears:etc:clear',
  'charging:station:edit',
  'charging:strategy:edit',
  'charging:card:edit',
  'charging:order:finance',
  'charging:secret:edit',
  'charging:pile:engineer',
  'street-lamp:box:edit',
  'street-lamp:circuit:untag',
]

/**
 * The people of a demo city, all with the same password: admin, operator (P001 and P002), auditor (looks only), otheradmin (another enterprise).
 * May be called at every start: who is there stays as they are. Call it after the catalogue has been synced: the operator's grants are chosen from it.
 */
export async function demoPeople(house: House, password: string): Promise<void> {
  const hashes = new Map<string, string>()
  for (const username of FIRST) hashes.set(username, await hashed(digestOf(username, password)))
  const person = (username: string, name: string, role: string, departmentId?: string) => ({
    username,
    name,
    role,
    demo: true,
    passwordHash: hashes.get(username)!,
    ...(departmentId && { departmentId }),
  })
  await house.writing(PLATFORM, 'identity.demo', async (tx) => {
    await ensureEnterprise(tx, { id: DEMO_ENTERPRISE, name: '襄州区智慧停车运营公司', platform: true })
    await ensureEnterprise(tx, { id: OTHER_ENTERPRISE, name: '樊城区停车服务公司' })
    const field = await ensureDepartment(tx, '运营一部', OPERATOR_PARKS)
    const all = await ensureRole(tx, { name: '平台管理员', grants: RoleGrants.everything, dataScope: DataScope.all })
    const looks = await ensureRole(tx, { name: '审计员', grants: RoleGrants.viewing, dataScope: DataScope.enterprise, remark: '只读' })
    const operates = await ensureRole(tx, { name: '车场运营员', grants: RoleGrants.chosen, dataScope: DataScope.parks, parks: OPERATOR_PARKS })
    await grantScreens(tx, operates)
    await ensurePerson(tx, person('admin', '系统管理员', all))
    await ensurePerson(tx, person('auditor', '审计员', looks))
    await ensurePerson(tx, person('operator', '车场运营员', operates, field))
  })
  await house.writing(OTHER_ENTERPRISE, 'identity.demo', async (tx) => {
    const all = await ensureRole(tx, { name: '企业管理员', grants: RoleGrants.everything, dataScope: DataScope.enterprise })
    await ensurePerson(tx, person('otheradmin', '企业管理员', all))
  })
  await givePassword(house, password)
}

/** Gives the demo's password also to people whom its later steps added. */
async function givePassword(house: House, password: string): Promise<void> {
  for (const enterprise of [DEMO_ENTERPRISE, OTHER_ENTERPRISE])
    await house.writing(enterprise, 'identity.demo', async (tx) => {
      const others = await tx
        .selectFrom('identity.person')
        .select(['id', 'username'])
        .where('demo', '=', true)
        .where('username', 'not in', FIRST)
        .execute()
      for (const { id, username } of others) {
        const passwordHash = await hashed(digestOf(username, password))
        await tx.updateTable('identity.person').set({ passwordHash }).where('id', '=', id).execute()
      }
    })
}
const FIRST = ['admin', 'operator', 'auditor', 'otheradmin']

async function ensureDepartment(tx: Tx, name: string, parks: string[]): Promise<string> {
  const known = await tx.selectFrom('identity.department').select('id').where('name', '=', name).executeTakeFirst()
  if (known) return known.id
  return (await tx.insertInto('identity.department').values({ name, parentId: null, code: null, parks }).returning('id').executeTakeFirstOrThrow()).id
}

/** Once, when the role is new: later choices are people's own. */
async function grantScreens(tx: Tx, roleId: string) {
  const some = await tx.selectFrom('identity.roleResource').select('roleId').where('roleId', '=', roleId).limit(1).executeTakeFirst()
  if (some) return
  const screens = await tx.selectFrom('identity.resource').select(['id', 'url']).where('retired', '=', false).execute()
  const chosen = screens.filter(({ url }) => OPERATES.some((start) => url === start || (start.endsWith('/') && url.startsWith(start))))
  if (chosen.length === 0) return
  await tx
    .insertInto('identity.roleResource')
    .values(chosen.map(({ id }) => ({ roleId, resourceId: id })))
    .execute()
  const buttons = await tx
    .selectFrom('identity.button')
    .select(['id', 'capability'])
    .where(
      'resourceId',
      'in',
      chosen.map(({ id }) => id),
    )
    .execute()
  const allowed = buttons.filter(({ capability }) => !NOT_FOR_OPERATORS.includes(capability))
  if (allowed.length)
    await tx
      .insertInto('identity.roleButton')
      .values(allowed.map(({ id }) => ({ roleId, buttonId: id })))
      .execute()
}
