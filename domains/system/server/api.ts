import { run, type Tx } from '../../../platform/server/database.ts'

export { SignIn } from '../contract/log.ts'

/** One line of the sign-in log. Without an enterprise (a name that nobody has) no company's log shows it. */
export async function logSignIn(
  tx: Tx,
  line: {
    enterprise: number | null
    personId: string | null
    username: string
    kind: number
    ip: string
    browser: string | null
    userSystem: string | null
    outcome: number
  },
): Promise<void> {
  const { enterprise, personId, username, kind, ip, browser, userSystem, outcome } = line
  await run(tx, { sql: 'select system.log_sign_in($1, $2, $3, $4, $5, $6, $7, $8)' }, [
    enterprise,
    personId,
    username,
    kind,
    ip,
    browser,
    userSystem,
    outcome,
  ])
}
