import type { Id, Instant } from '../../../../platform/contract/field.ts'
import { run } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { account } from '../../contract/account.ts'
import { boundCookie, secret } from './opening.ts'
import { SINGLE_SIGN_ON } from './session.ts'
import { beWary, secretHash } from './sessions.ts'
import '../tables.ts'

const NotAdmitted = refusal(
  'identity.not-admitted',
  40201,
  '您不能进入该企业；需要时请联系该企业管理员',
  'You cannot act for this enterprise: ask its administrator',
  403,
)

interface Own {
  name: string
  username: string
  mustChange: boolean
  home: number
  startedAt: Instant | null
  loginType: number | null
  asked: boolean
  has: boolean
  phoneTail: string | null
}
const OWN = `select o.*, identity.asks_second_factor($3, $1) as asked, identity.has_second_factor($1) as has, identity.own_phone_ending($1) as phone_tail from identity.own_account($1, $2) o`

export const calls = serve(account, {
  async getUserInfo({ tx, actor }) {
    const [[own], enterprise] = await Promise.all([
      run<Own>(tx, { sql: OWN }, [actor.userId, actor.sessionId, actor.enterprise]),
      tx.selectFrom('identity.enterprise').select('name').where('id', '=', actor.enterprise).executeTakeFirst(),
    ])
    if (!own?.name || !enterprise) throw NotFound()
    return {
      custId: actor.userId as Id<'PersonId'>,
      name: own.name,
      username: own.username,
      phoneTail: own.phoneTail,
      enterpriseId: actor.enterprise,
      enterpriseName: enterprise.name,
      capabilities: [...actor.may].sort(),
      parks: actor.scope.parks && [...actor.scope.parks],
      mustChangePassword: own.mustChange,
      mustEnrol: own.asked && !own.has && own.loginType !== SINGLE_SIGN_ON && !actor.key,
      homeId: own.home,
      signedInAt: own.startedAt,
    }
  },

  switch: phased(
    async ({ input: { id }, actor, request, write }) => {
      const token = secret()
      const bound = actor.bound ? secret() : undefined
      const [made] = await write((tx) => {
        beWary()
        return run<{ id: string | null }>(tx, { sql: 'select identity.switch_session($1, $2, $3, $4) as id' }, [
          actor.sessionId,
          id,
          secretHash(token),
          bound ? secretHash(bound) : null,
        ])
      })
      if (!made?.id) throw NotAdmitted()
      if (bound) request.setCookie(boundCookie(bound, request))
      return { access_token: token }
    },
    { anew: true },
  ),

  getList: async ({ tx, actor }) => {
    const rows = await run<{ id: number; name: string }>(tx, { sql: 'select id, name from identity.accounts_of($1)' }, [actor.userId])
    return rows.map((row) => ({ ...row, current: row.id === actor.enterprise }))
  },
})
