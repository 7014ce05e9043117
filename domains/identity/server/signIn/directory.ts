import { randomUUID, X509Certificate } from 'node:crypto'
import { FilterParser } from 'ldapts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { Log } from '../../../../platform/server/log.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { lockRow, onlyFields, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import type { Vault } from '../../../../platform/server/start/vault.ts'
import { Directory, directory, DirectoryLink, Encryption, linkSearch, LookUp } from '../../contract/directory.ts'
import { LoginType } from '../../contract/session.ts'
import { refuseBeyond } from '../right/holding.ts'
import { converse, filterFor, type Found, Fruitless, isThisMachine, type Way } from './ldap.ts'
import { clientOf, WrongSignIn } from './opening.ts'
import { SecondFactorNeeded } from './secondFactor.ts'
import { factsOf, settleSignIn } from './signIn.ts'
import '../tables.ts'
import { slowed, triedBy, triesOf } from './tries.ts'

const NotOffered = refusal(
  'identity.directory-off',
  404,
  '该企业未启用目录服务，请用密码登录',
  'This enterprise has no directory in use: sign in with your password',
  404,
)
const Away = refusal(
  'identity.directory-away',
  40256,
  '目录服务暂时无法使用，请稍后重试或联系管理员',
  'The directory cannot be used right now; try again later or contact an administrator',
  503,
)
const NotSetUp = refusal('identity.directory-none', 40257, '请先设置目录服务', 'Set up the directory first', 422)
const SecretNeeded = refusal('identity.directory-secret', 40258, '请填写绑定密码', 'Enter the bind password', 422)
const SecretAgain = refusal(
  'identity.directory-secret-again',
  40259,
  '服务器、端口、加密、证书或绑定账号有改动，请重新填写绑定密码',
  'The host, port, encryption, certificate or bind DN has changed: enter the bind password again',
  422,
)
const ClearText = refusal(
  'identity.directory-clear',
  40260,
  '不加密只能用于本机地址，请选择 LDAPS 或 StartTLS',
  'Only this machine may be asked unencrypted; choose LDAPS or StartTLS',
  422,
)
const BadFilter = refusal(
  'identity.directory-filter',
  40261,
  '过滤条件不正确：须符合 RFC 4515，{name} 须在等号之后',
  'The filter is not valid: it must follow RFC 4515, with {name} after an equals sign',
  422,
)
const BadCertificate = refusal('identity.directory-ca', 40262, 'CA 证书应为 PEM 格式', 'The CA certificate must be PEM text', 422)
const NothingFound = refusal('identity.directory-nothing', 40263, '{zh}', '{en}', 422)
const Linked = refusal(
  'identity.directory-linked',
  40264,
  '该员工或该目录账号已有关联，请先解除',
  'This user or this directory account is linked already; remove that link first',
)

/** A directory of one's own can sign in as anybody: only an administrator may set one up. */
const ADMINISTERS = ['identity:role:edit', 'identity:person:edit']
/**
 * Fields that decide where the password of the reading account is sent, and as whom: changing one requires the password again, so that it goes nowhere else than its author
 * meant.
 */
const WHERE_TO = ['host', 'port', 'encryption', 'ca', 'bindDn'] as const
/** The entries' side of `identity.oidc_subject`. */
const ISSUER = 'ldap'
const FIELDS = Object.keys(Directory.properties) as (keyof typeof Directory.properties)[]

const directories = rowsOver(Directory, 'identity.directory', [...FIELDS, 'secret'], { key: 'enterpriseId' })
const shown = onlyFields(Directory)
const links = listOver(DirectoryLink, 'identity.directoryLink', linkSearch)

let vault: Vault | undefined
let log: Log | undefined
/** Said once at start. */
export function useDirectories(with_: { vault: Vault; log: Log }): void {
  ;({ vault, log } = with_)
}

export const calls = serve(directory, {
  offer: ({ tx }) => run(tx, { sql: 'select * from identity.directories_offered()' }, []),

  login: phased(
    async ({ input: { enterprise, username, password, ...sent }, at, request, read, write }) => {
      const client = { ...clientOf(sent, request), kind: LoginType.directory }
      const tried = triedBy(username, client.ip)
      const { way, facts, tries } = await read(async (tx) => ({
        way: await wayOf(tx, enterprise),
        facts: await factsOf(tx, username, client),
        tries: await triesOf(tx, tried),
      }))
      if (!way) throw NotOffered()
      await slowed(tries, facts.enterpriseId === enterprise && facts.known === true)
      const { found, whose, accepted } = await converse(way, async ({ find, accepts }) => {
        const found = await find(username).catch(nobody)
        const whose = found && (await read((tx) => usernameOf(tx, enterprise, way, found)))
        const locked = !whose || (await read((tx) => factsOf(tx, whose, client))).locked
        // Of somebody who stays outside anyway no password is tried over there, but the answer takes as long.
        const accepted = await accepts(found && !locked ? found.dn : `cn=${randomUUID()},${way.baseDn}`, password)
        return { found, whose: whose ?? null, accepted: accepted && !locked }
      }).catch(away)
      const opened = await write(async (tx) => {
        const right = accepted && found !== undefined && (await bound(tx, enterprise, way, found)) === whose
        return settleSignIn(tx, { right, whose, username, client, tried, at, request })
      })
      if (!opened) throw WrongSignIn()
      if ('challenge' in opened) throw SecondFactorNeeded(opened)
      return opened
    },
    { anew: true },
  ),

  async get({ tx }) {
    const found = await tx.selectFrom('identity.directory').select(FIELDS).executeTakeFirst()
    return { directory: found ?? null }
  },

  async save({ tx, input: { version, secret, ...said }, actor, at }) {
    refuseBeyond({ capabilities: actor.may }, ADMINISTERS)
    refuseUnusable(said)
    const locked = secret ? vault!.locked(secret) : undefined
    if (version > 0) {
      const found = await lockRow(tx, directories, { id: actor.enterprise, version })
      const moved = WHERE_TO.filter((field) => said[field] !== undefined && said[field] !== found[field])
      if (moved.length > 0 && !locked) throw SecretAgain(moved)
      return shown(await setRow(tx, directories, found, { ...said, ...(locked && { secret: locked }) }, at))
    }
    if (!locked) throw SecretNeeded()
    return tx
      .insertInto('identity.directory')
      .values({ ca: null, nameAttribute: null, mailAttribute: null, ...said, secret: locked })
      .onConflict((same) => same.column('enterpriseId').doNothing())
      .returning(FIELDS)
      .executeTakeFirstOrThrow(() => Stale())
  },

  try: phased(async ({ input: { account }, actor, read }) => {
    const way = await read(ownWay)
    const began = performance.now()
    const said = await converse(way, ({ find }) => find(account)).catch(why)
    const ms = Math.round(performance.now() - began)
    if (said instanceof Fruitless)
      return { result: said.result, answer: said.message, ms, dn: null, username: null, name: null, email: null, person: null }
    const { subject: _, ...told } = said
    return { result: LookUp.found, answer: '', ms, ...told, person: await read((tx) => usernameOf(tx, actor.enterprise, way, said)) }
  }),

  links: ({ tx, input }) => page(tx, links, input),
  link: phased(async ({ input: { custId, account }, actor, read, write }) => {
    refuseBeyond({ capabilities: actor.may }, ADMINISTERS)
    const way = await read(ownWay)
    const found = await converse(way, ({ find }) => find(account)).catch(why)
    if (found instanceof Fruitless) {
      const [zh, en] = LookUp.entries[found.result]
      throw NothingFound({ zh, en })
    }
    await write(async (tx) => {
      const person = await tx
        .selectFrom('identity.person')
        .select('id')
        .where('id', '=', custId)
        .where('enterpriseId', '=', actor.enterprise)
        .executeTakeFirst()
      if (!person) throw NotFound()
      const made = await tx
        .insertInto('identity.oidcSubject')
        .values({ issuer: ISSUER, subject: found.subject, personId: custId })
        .onConflict((same) => same.doNothing())
        .returning('subject')
        .executeTakeFirst()
      if (!made) throw Linked()
    })
  }),
  async unlink({ tx, input: { id }, actor }) {
    refuseBeyond({ capabilities: actor.may }, ADMINISTERS)
    // Those whom one does not see have no link either.
    const seen = await tx.selectFrom('identity.directoryLink').select('id').where('id', '=', id).executeTakeFirst()
    if (!seen) throw NotFound()
    await tx.deleteFrom('identity.oidcSubject').where('issuer', '=', ISSUER).where('personId', '=', id).execute()
  },
})

function refuseUnusable({ host, encryption, filter, ca }: Pick<Way, 'host' | 'encryption' | 'filter'> & { ca?: string | null }): void {
  if (encryption === Encryption.none && !isThisMachine(host)) throw ClearText()
  // In place of an attribute a name would choose what is compared.
  if (filter.replaceAll('={name}', '').includes('{name}')) throw BadFilter()
  if (!isRead(() => FilterParser.parseString(filterFor(filter, 'name')))) throw BadFilter()
  if (ca && !isRead(() => new X509Certificate(ca))) throw BadCertificate()
}
function isRead(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

interface Kept extends Omit<Way, 'password'> {
  secret: string
}
const wayFrom = (kept: Kept | undefined): Way | undefined => kept && { ...kept, password: vault!.opened(kept.secret) }
/** The directory that an enterprise has in use, for a sign-in, which has no scope yet. */
const wayOf = async (tx: Tx, enterprise: number) =>
  wayFrom((await run<Kept>(tx, { sql: 'select * from identity.directory_of($1)' }, [enterprise]))[0])
/** One's own enterprise's, in use or not. */
async function ownWay(tx: Tx): Promise<Way> {
  const way = wayFrom(await tx.selectFrom('identity.directory').selectAll().executeTakeFirst())
  if (!way) throw NotSetUp()
  return way
}

/** By which name somebody may come for the first time, where they may. */
const firstName = ({ byName }: Way, { username }: Found) => (byName ? username : null)
async function usernameOf(tx: Tx, enterprise: number, way: Way, found: Found): Promise<string | null> {
  const [whose] = await run<{ username: string | null }>(tx, { sql: 'select identity.username_of_subject($1, $2, $3, $4) as username' }, [
    enterprise,
    ISSUER,
    found.subject,
    firstName(way, found),
  ])
  return whose!.username
}
/** Binds a directory's entry to its person here, for good. */
async function bound(tx: Tx, enterprise: number, way: Way, found: Found): Promise<string | null> {
  const [who] = await run<{ personId: string | null; username: string | null }>(
    tx,
    { sql: 'select * from identity.person_of_subject($1, $2, $3, $4)' },
    [enterprise, ISSUER, found.subject, firstName(way, found)],
  )
  return who?.personId ? who.username : null
}

const why = (error: unknown): Fruitless => {
  if (error instanceof Fruitless) return error
  throw error
}
/** Turns an unknown or ambiguous name into nobody; any other failure is no answer about the person. */
const nobody = (error: unknown): undefined => {
  const { result } = why(error)
  if (result !== LookUp.nobody && result !== LookUp.several) throw error
}
const away = (error: unknown): never => {
  const { result, message } = why(error)
  log?.warn({ result: LookUp.entries[result][1], answer: message }, 'A directory cannot be used.')
  throw Away()
}
