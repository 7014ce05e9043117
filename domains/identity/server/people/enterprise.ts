import type { CodeOf, Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { phased, type PhasedContext, serve } from '../../../../platform/server/serve.ts'
import {
  type Administrator,
  customerRelation,
  Enterprise,
  enterprise,
  type EnterpriseNode,
  enterpriseSearch,
  EnterpriseStatus,
  type Guest,
} from '../../contract/enterprise.ts'
import { RoleGrants } from '../../contract/role.ts'
import { confirmSelf } from '../signIn/confirmSelf.ts'
import { digestOf, hashed, matches, Mismatch, randomPassword, SamePassword } from '../signIn/password.ts'
import { NameTaken } from '../right/giving.ts'
import { holdingOf } from '../right/holding.ts'
import { endSessions } from '../signIn/opening.ts'
import { refuseGrants } from '../right/role.ts'
import { beWary } from '../signIn/sessions.ts'
import '../tables.ts'
import { tellPasswordChanged } from '../tell.ts'
import { refuseCircle } from './tree.ts'

const KeepPlatform = refusal(
  'identity.keep-platform',
  40216,
  '平台运营方不能停用或删除；请选择其他企业',
  'The platform operator cannot be disabled or deleted: choose another enterprise',
)
const EnterpriseTaken = refusal(
  'identity.enterprise-taken',
  40217,
  '企业名称已被使用，请换一个名称',
  'This enterprise name is already in use: choose another name',
)
const EnterpriseIntoItself = refusal(
  'identity.enterprise-into-itself',
  40218,
  '不能移动到自己的下属单位，请选择其他上级',
  'It cannot be moved below itself: choose another parent',
)
const HasUnits = refusal('identity.enterprise-has-units', 40219, '请先移走下属单位', 'Move its subordinate units out first')
const EnterpriseUsed = refusal(
  'identity.enterprise-used',
  40220,
  '该企业已有业务数据，不能删除，可以停用',
  'This enterprise has business data and cannot be deleted; disable it instead',
)
const AdministratorNameNeeded = refusal('identity.administrator-name', 40221, '请填写管理员姓名', 'Enter the administrator’s name', 422)

/** The role of a company's first people. */
const ADMINISTRATOR_ROLE = '企业管理员'
/** All companies of a platform. */
const ENTERPRISES_MAX = 100_000
/** Units below units; deeper is a mistake. */
const DEPTH_MAX = 8

const enterprises = listOver(Enterprise, 'identity.enterprise', enterpriseSearch)
const rows = rowsOver(Enterprise, 'identity.enterprise', ['platform'])

export const calls = serve(enterprise, {
  resetEnterprisePassword: phased(async (context) => {
    const { input, actor } = context
    if (input.newPassword !== input.confirmPassword) throw Mismatch()
    if (input.custId === undefined || input.custId === actor.userId) return resetOwn(context)
    return resetAdministrator(context, input.custId)
  }),
  resetAdministrator: phased((context) => resetAdministrator(context, context.input.custId)),

  async admit({ tx, input: { enterpriseId, custId }, actor }) {
    beWary()
    // They will hold everything of that company: nobody lets anybody in who does not hold as much.
    await refuseGrants(tx, await holdingOf(tx, actor), { grants: RoleGrants.everything, resourceIds: [], buttonIds: [] })
    const [done] = await run<{ yes: boolean }>(tx, { sql: 'select identity.admit($1, $2, $3, $4) as yes' }, [
      enterpriseId,
      custId,
      ADMINISTRATOR_ROLE,
      actor.userName,
    ])
    if (!done!.yes) throw NotFound()
  },
  async dismiss({ tx, input: { enterpriseId, custId } }) {
    beWary()
    const [done] = await run<{ yes: boolean }>(tx, { sql: 'select identity.dismiss($1, $2) as yes' }, [enterpriseId, custId])
    if (!done!.yes) throw NotFound()
  },

  queryPage: ({ tx, input }) => page(tx, enterprises, input),
  async tree({ tx }) {
    const all = await tx.selectFrom('identity.enterprise').select(['id', 'name', 'status', 'parentId']).orderBy('id').execute()
    const below = (parent: number | null): EnterpriseNode[] =>
      all.filter(({ parentId }) => parentId === parent).map(({ id, name, status }) => ({ id, name, status, children: below(id) }))
    return below(null)
  },
  async detail({ tx, input: { id } }) {
    const found = await find(tx, enterprises, id)
    if (!found) throw NotFound()
    const [parent, [count], administrators, { records: units }, guests] = await Promise.all([
      tx.selectFrom('identity.enterprise').select('name').where('id', '=', found.parentId).executeTakeFirst(),
      run<{ people: number }>(tx, { sql: 'select identity.people_in($1) as people' }, [id]),
      run<Of<typeof Administrator>>(tx, { sql: 'select * from identity.administrators_of($1)' }, [id]),
      page(tx, enterprises, { parentId: id, queryMode: 'rows', limit: ENTERPRISES_MAX }),
      run<Of<typeof Guest>>(tx, { sql: 'select * from identity.guests_of($1)' }, [id]),
    ])
    return { ...found, parentName: parent?.name ?? null, people: count!.people, administrators, units, guests }
  },

  add: phased(async ({ input: { adminUsername, adminName, ...fields }, write }) => {
    if (adminUsername && !adminName) throw AdministratorNameNeeded()
    const password = adminUsername ? randomPassword() : null
    const hash = password && (await hashed(digestOf(adminUsername!, password)))
    return write(async (tx) => {
      const id = await addEnterprise(tx, fields)
      if (hash)
        await run(tx, { sql: 'select identity.seat_administrator($1, $2, $3, $4, $5)' }, [
          id,
          ADMINISTRATOR_ROLE,
          adminUsername,
          adminName,
          hash,
        ]).catch(taken)
      return { id, username: adminUsername ?? null, password }
    })
  }),
  update: ({ tx, input, at }) => changeEnterprise(tx, input, at),

  async delete({ tx, input: { id } }) {
    beWary()
    const [{ left }] = (await run<{ left: string | null }>(tx, { sql: 'select identity.dissolve($1) as left' }, [id])) as [{ left: string | null }]
    if (left === null) return
    if (left === 'missing') throw NotFound()
    if (left === 'platform') throw KeepPlatform()
    throw left === 'units' ? HasUnits() : EnterpriseUsed()
  },
})

export const relationCalls = serve(customerRelation, {
  async subunits({ tx, input: { enterpriseId, name }, actor }) {
    const { records: all } = await page(tx, enterprises, { queryMode: 'rows', limit: ENTERPRISES_MAX })
    const below = (parent: number): typeof all => all.filter(({ parentId }) => parentId === parent).flatMap((row) => [row, ...below(row.id)])
    return below(enterpriseId ?? actor.enterprise).filter((row) => !name || row.name.includes(name))
  },
})

interface Fields {
  name: string
  parentId?: number | null
  contact?: string | null
  phone?: string | null
  address?: string | null
}
/** @returns the new enterprise's number */
export async function addEnterprise(tx: Tx, fields: Fields): Promise<number> {
  if (fields.parentId) await refuseCircle(tx, 'identity.enterprise', { parentId: fields.parentId }, DEPTH_MAX, EnterpriseIntoItself)
  // One at a time: the next number is the largest and one.
  await run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('identity.enterprise', 1))` }, [])
  const last = await tx
    .selectFrom('identity.enterprise')
    .select((of) => of.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  const values = { parentId: null, contact: null, phone: null, address: null, ...fields, id: Number(last.id ?? 0) + 1 }
  return (await addRow(tx, rows, values).catch(taken)).id
}
export async function changeEnterprise(
  tx: Tx,
  { id, version, ...change }: { id: number; version: number; status?: CodeOf<typeof EnterpriseStatus>; secondFactor?: boolean } & Partial<Fields>,
  at: Instant,
) {
  beWary()
  // The tree before its row: the other way round two who move below one another would wait for each other.
  if (change.parentId) await refuseCircle(tx, 'identity.enterprise', { id, parentId: change.parentId }, DEPTH_MAX, EnterpriseIntoItself)
  const found = await lockRow(tx, rows, { id, version })
  if (found.platform && change.status === EnterpriseStatus.disabled) throw KeepPlatform()
  await setRow(tx, rows, found, change, at).catch(taken)
}

const taken = (error: { code?: string; constraint?: string }): never => {
  if (error.code !== '23505') throw error
  throw error.constraint === 'person_username' ? NameTaken() : EnterpriseTaken()
}

interface Reset {
  newPassword: string
  confirmPassword: string
  oldPassword?: string
}
async function resetOwn(context: PhasedContext<Reset>): Promise<{ password: null }> {
  const { input, actor, at, write } = context
  const { passwordHash } = await confirmSelf(context, input.oldPassword)
  if (await matches(input.newPassword, passwordHash)) throw SamePassword()
  const next = await hashed(input.newPassword)
  await write(async (tx) => {
    beWary()
    await tx
      .updateTable('identity.person')
      .set({ passwordHash: next, passwordAt: at, mustChange: false, updatedAt: at })
      .where('enterpriseId', '=', actor.enterprise)
      .where('id', '=', actor.userId)
      .execute()
    await endSessions(tx, at, 'password', { personId: actor.userId, but: actor.sessionId })
    await tellPasswordChanged(tx, { personId: actor.userId, enterprise: actor.enterprise, at })
  })
  return { password: null }
}

/** An administrator of another company has lost their password: the server makes one, whatever was sent, and all their sessions end. */
async function resetAdministrator(
  { actor, at, read, write }: Pick<PhasedContext<unknown>, 'actor' | 'at' | 'read' | 'write'>,
  custId: string,
): Promise<{ password: string }> {
  if (!actor.may.has('identity:enterprise:reset')) throw NoPermission()
  const [found] = await read((tx) => run<{ username: string | null }>(tx, { sql: 'select identity.administrator_name($1) as username' }, [custId]))
  if (!found?.username) throw NoPermission()
  const password = randomPassword()
  const hash = await hashed(digestOf(found.username, password))
  return write(async (tx) => {
    beWary()
    const [done] = await run<{ yes: boolean }>(tx, { sql: 'select identity.reset_administrator($1, $2) as yes' }, [custId, hash])
    if (!done!.yes) throw NoPermission()
    const [whose] = await run<{ enterpriseId: number }>(tx, { sql: 'select enterprise_id from identity.strange_browser($1, null)' }, [custId])
    await tellPasswordChanged(tx, { personId: custId, enterprise: whose!.enterpriseId, at, by: actor.userName })
    return { password }
  })
}
