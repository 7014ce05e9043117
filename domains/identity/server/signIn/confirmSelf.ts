import { msOf } from '../../../../platform/contract/time.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal, TooMany } from '../../../../platform/server/refusal.ts'
import type { Actor, PhasedContext } from '../../../../platform/server/serve.ts'
import { FRESH_MIN } from '../../contract/enterprise.ts'
import { matches } from './password.ts'
import { countTry, WINDOW } from './tries.ts'
import { secretHash } from './sessions.ts'
import '../tables.ts'

const OldPasswordNeeded = refusal(
  'identity.old-password-needed',
  40206,
  '登录已超过 5 分钟，请输入您现在的登录密码',
  'You signed in more than 5 minutes ago: enter your current password',
  403,
)
const Abroad = refusal('identity.abroad', 40207, '请先切换回所属企业再进行此操作', 'Switch back to your own enterprise first')
const OldPasswordWrong = refusal(
  'identity.old-password-wrong',
  40208,
  '登录密码不正确，请重新输入您现在的登录密码',
  'That is not your password: enter your current password again',
  422,
)

/** The most guesses of the old password, so that a stranger at an open console does not find it. */
const OLD_TRIES = 10

/**
 * Before one changes how one signs in: the sign-in is not older than FRESH_MIN, or the password is given (as its digest). @throws TooMany
 * @returns one's name and the hash of the password
 */
export async function confirmSelf<I>({ actor, at, read, write }: PhasedContext<I>, password: string | undefined): Promise<Self> {
  const self = await read((tx) => selfOf(tx, actor))
  const fresh = msOf(at) - msOf(self.startedAt) <= FRESH_MIN * 60_000
  if (!fresh && password === undefined) throw OldPasswordNeeded()
  if (password === undefined) return self
  if ((await write((tx) => countTry(tx, secretHash(`old ${actor.userId}`), WINDOW))) > OLD_TRIES) throw TooMany()
  if (!(await matches(password, self.passwordHash))) throw OldPasswordWrong()
  return self
}
interface Self {
  username: string
  passwordHash: string
}

async function selfOf(tx: Tx, actor: Pick<Actor, 'userId' | 'enterprise' | 'sessionId'>) {
  const found = await tx
    .selectFrom('identity.person as p')
    .innerJoin('identity.session as s', (join) => join.onRef('s.enterpriseId', '=', 'p.enterpriseId').on('s.id', '=', actor.sessionId))
    .select(['p.username', 'p.passwordHash', 's.startedAt'])
    .where('p.enterpriseId', '=', actor.enterprise)
    .where('p.id', '=', actor.userId)
    .executeTakeFirst()
  if (!found) throw Abroad()
  return found
}

/** How one signs in is changed at home: while one acts for another company, one's own row is not in sight. */
export async function refuseAbroad(tx: Tx, { userId, enterprise }: Pick<Actor, 'userId' | 'enterprise'>): Promise<void> {
  const at = tx.selectFrom('identity.person').select('id').where('enterpriseId', '=', enterprise).where('id', '=', userId)
  if (!(await at.executeTakeFirst())) throw Abroad()
}
