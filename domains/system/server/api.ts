import { randomUUID } from 'node:crypto'
import { run, type Tx } from '../../../platform/server/database.ts'
import { maskedName, withoutSecrets } from './log/masking.ts'
import { typeOf, unfitToDraw } from './file/picture.ts'
import { keepBytes } from './file/store.ts'
import { TooManyPixels } from './file/upload.ts'

/** Questions of system to the domains above it, and the notices that it has for people. */
export { consoleUse, type Notice, notice, receivers, settingChanged } from './questions.ts'
export { demoServers } from './demo.ts'
export { SignIn } from '../contract/log.ts'
export { keptBytes } from './file/store.ts'
export { addressOfFile, fileAt, keepUpload, type KeptFile, recordUpload, refuseOverQuota } from './file/upload.ts'
export { settingsIn } from './configuration.ts'
export { openOperationLog } from './log/operationLog.ts'
export { regionHeld } from './topics.ts'
export { holdRegion } from './region/region.ts'

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
    enterprise === null ? maskedName(username) : username,
    kind,
    ip,
    browser,
    userSystem,
    outcome,
  ])
}

/** Stores a handheld's log line; words that are too long are cut, an unknown level becomes information. */
export async function logHandheld(
  tx: Tx,
  {
    sn,
    parkCode,
    deviceTime,
    receivedAt,
    body,
  }: { sn: string; parkCode: string | null; deviceTime: string; receivedAt: string; body: Readonly<Record<string, unknown>> },
): Promise<void> {
  const said = (name: string, most: number) =>
    typeof body[name] === 'string' && body[name] !== '' ? withoutSecrets(body[name]).slice(0, most) : null
  const level = { warn: 2, warning: 2, error: 3, fatal: 3 }[String(body['level'])] ?? 1
  await run(
    tx,
    {
      sql: `insert into system.pda_log (device_no, park_code, device_time, received_at, level, toll_no, tag, content, app_version) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    },
    [sn, parkCode, deviceTime, receivedAt, level, said('tollNo', 32), said('tag', 32), said('text', 2_000) ?? '', said('app', 32)],
  )
}

export interface KeptPicture {
  name: string
  type: string
  bytes: number
  sha256: string
}
/** Keeps the bytes of a JPG or PNG, known by its first bytes and its head; undefined when it is neither. Outside any transaction: follow it with `recordPicture`. @throws TooManyPixels */
export async function keepPicture(bytes: Uint8Array): Promise<KeptPicture | undefined> {
  const type = typeOf(bytes)
  const unfit = type && (await unfitToDraw(bytes))
  if (unfit === 'flood') throw TooManyPixels()
  if (!type || unfit) return undefined
  return { name: `${randomUUID()}.${type === 'image/png' ? 'png' : 'jpg'}`, type, bytes: bytes.length, sha256: await keepBytes(bytes) }
}
/** Makes a kept picture one of the enterprise's files. @returns the address that shows it */
export async function recordPicture(tx: Tx, { name, type, bytes, sha256 }: KeptPicture, { author }: { author: string }): Promise<string> {
  await run(tx, { sql: 'insert into system.file (name, original_name, type, bytes, sha256, author_id) values ($1, $1, $2, $3, $4, $5)' }, [
    name,
    type,
    bytes,
    sha256,
    author,
  ])
  return `${SHOWN_AT}${name}`
}
const SHOWN_AT = '/lbs/basic/sysFile/download?fileName='
/** Pictures that `recordPicture` kept are no files any more, by the addresses that it answered. Their bytes go in the night, unless another file has the same. */
export const forgetPictures = async (tx: Tx, addresses: readonly string[]): Promise<void> =>
  void (await run(tx, { sql: 'delete from system.file where enterprise_id = scope_enterprise() and name = any($1)' }, [
    addresses.map((one) => one.slice(SHOWN_AT.length)),
  ]))
