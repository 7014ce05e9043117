import { serve } from '../../../platform/server/serve.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { account } from '../contract/account.ts'
import './tables.ts'

export const calls = serve(account, {
  async getUserInfo({ tx, actor }) {
    const found = await tx
      .selectFrom('identity.person as p')
      .innerJoin('identity.enterprise as e', 'e.id', 'p.enterpriseId')
      .leftJoin('identity.session as s', (join) => join.onRef('s.enterpriseId', '=', 'p.enterpriseId').on('s.id', '=', actor.sessionId))
      .select([
        'p.id as custId',
        'p.name',
        'p.username',
        'e.id as enterpriseId',
        'e.name as enterpriseName',
        'p.mustChange as mustChangePassword',
        's.startedAt as signedInAt',
      ])
      .where('p.enterpriseId', '=', actor.enterprise)
      .where('p.id', '=', actor.userId)
      .executeTakeFirst()
    if (!found) throw NotFound()
    return { ...found, capabilities: [...actor.may].sort(), parks: actor.scope.parks && [...actor.scope.parks] } as never
  },

  /** One so far: a person belongs to one enterprise. The list is what a switch of enterprise would offer. */
  getList: ({ tx, actor }) =>
    tx
      .selectFrom('identity.enterprise')
      .select(['id', 'name'])
      .where('id', '=', actor.enterprise)
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, current: true }))),
})
