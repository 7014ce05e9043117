import { isIP, type Socket } from 'node:net'
import { Client, type Entry, ResultCodeError } from 'ldapts'
import type { CodeOf, Of } from '../../../../platform/contract/field.ts'
import { addressFor, NotReached, OUTSIDE_MS } from '../../../../platform/server/outside.ts'
import { type Directory, Encryption, LookUp } from '../../contract/directory.ts'

/** A directory with the password of its account. */
export type Way = Omit<Of<typeof Directory>, 'version' | 'updatedAt'> & { password: string }
/** Somebody as the directory tells of them. */
export interface Found {
  dn: string
  /** Stays the same when they are renamed or moved. */
  subject: string
  username: string | null
  name: string | null
  email: string | null
}
/** Nothing was found, and why; `answer` is for the administrator of the directory. */
export class Fruitless extends Error {
  override name = 'Fruitless'
  readonly result: CodeOf<typeof LookUp>
  constructor(result: CodeOf<typeof LookUp>, answer = '') {
    super(answer.replaceAll(/\p{Cc}/gu, ' ').slice(0, ANSWER_MAX))
    this.result = result
  }
}
const ANSWER_MAX = 300

interface Conversation {
  /** The one entry that a name stands for. @throws Fruitless */
  find(name: string): Promise<Found>
  /** Whether the directory takes this password of an entry. @throws Fruitless where it does not say */
  accepts(dn: string, password: string): Promise<boolean>
}
/** Conversations of one process with one server at once: one that hangs holds no more than these, and nobody else's. */
const AT_ONCE = 20
const running = new Map<string, number>()

/** One conversation with a directory, signed in by its own account and over within OUTSIDE_MS. @throws Fruitless */
export async function converse<T>(way: Way, work: (with_: Conversation) => Promise<T>): Promise<T> {
  const server = `${way.host}:${way.port}`
  const others = running.get(server) ?? 0
  if (others >= AT_ONCE) throw new Fruitless(LookUp.silent, 'too many conversations at once')
  running.set(server, others + 1)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => (timer = setTimeout(() => fail(new Fruitless(LookUp.silent)), OUTSIDE_MS)))
  try {
    return await within(way, await Promise.race([addressOf(way), late]), late, work)
  } finally {
    clearTimeout(timer)
    const left = running.get(server)! - 1
    if (left > 0) running.set(server, left)
    else running.delete(server)
  }
}

/** Resolves the address. An address in our own network has to be named by the configuration, and clear text is for this very machine alone. */
async function addressOf({ host, port, encryption }: Way): Promise<string> {
  const address = await addressFor(host, port).catch((error: unknown) => {
    throw error instanceof NotReached ? new Fruitless(error.refused ? LookUp.forbidden : LookUp.unreachable, error.message) : error
  })
  if (encryption === Encryption.none && !isThisMachine(address)) throw new Fruitless(LookUp.forbidden, 'clear text leaves this machine')
  return address
}
export const isThisMachine = (host: string) => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

async function within<T>(way: Way, address: string, late: Promise<never>, work: (with_: Conversation) => Promise<T>): Promise<T> {
  // Of an address no name is sent; it is the address that the certificate has to name.
  const secure = { ...(isIP(way.host) === 0 && { servername: way.host }), host: address, ...(way.ca && { ca: way.ca }) }
  const client = new Client({
    url: `${way.encryption === Encryption.ldaps ? 'ldaps' : 'ldap'}://${isIP(address) === 6 ? `[${address}]` : address}:${way.port}`,
    timeout: OUTSIDE_MS,
    connectTimeout: OUTSIDE_MS,
    ...(way.encryption === Encryption.ldaps && { tlsOptions: secure }),
  })
  let hangUp: (() => void) | undefined
  const broken = new Promise<never>((_, fail) => {
    watch(client, fail)
    hangUp = () => fail(new Fruitless(LookUp.odd, 'the server hung up'))
  })
  /** By itself the library would connect again, and after StartTLS go on in clear text. */
  const step = async <R>(does: () => Promise<R>): Promise<R> => {
    if (!client.isConnected) throw new Fruitless(LookUp.odd, 'the server hung up')
    return does().catch(fruitless)
  }
  const bind = () => client.bind(way.bindDn, way.password).catch(refusedAs(LookUp.bind))
  const talk = async () => {
    if (way.encryption === Encryption.startTls) {
      await client.startTLS(secure).catch(fruitless)
      // Of the encrypted connection's end the library hears nothing.
      const encrypted: Socket = client['socket']
      encrypted.once('close', () => hangUp?.())
    }
    await (way.encryption === Encryption.startTls ? step(bind) : bind().catch(fruitless))
    return work({ find: (name) => step(() => find(client, way, name)), accepts: (dn, password) => step(() => accepts(client, dn, password)) })
  }
  try {
    return await Promise.race([talk(), broken, late])
  } finally {
    // A server that does not answer the unbind is disconnected all the same.
    void client.unbind().catch(() => {})
  }
}

/** Two are one too many already. */
const ENTRIES_MAX = 2
async function find(client: Client, way: Way, name: string): Promise<Found> {
  const attributes = [way.usernameAttribute, way.nameAttribute, way.mailAttribute, ...LASTING].filter((one) => one !== null)
  const { searchEntries: entries } = await client
    .search(way.baseDn, {
      filter: filterFor(way.filter, name),
      scope: 'sub',
      derefAliases: 'never',
      sizeLimit: ENTRIES_MAX,
      timeLimit: OUTSIDE_MS / 1000,
      attributes,
      explicitBufferAttributes: [GUID],
    })
    .catch(refusedAs(LookUp.base, NO_SUCH_PLACE))
  const [entry, another] = entries
  if (another) throw new Fruitless(LookUp.several)
  if (!entry) throw new Fruitless(LookUp.nobody)
  // A DN without `=` is not an entry's name: a bind with a password would take it for something else.
  if (!entry.dn.includes('=')) throw new Fruitless(LookUp.odd, entry.dn)
  return {
    dn: entry.dn,
    subject: LASTING.map((one) => valueOf(entry, one)).find((one) => one !== null) ?? entry.dn.toLowerCase(),
    username: valueOf(entry, way.usernameAttribute),
    name: valueOf(entry, way.nameAttribute),
    email: valueOf(entry, way.mailAttribute),
  }
}
/** Attributes that identify an entry for good: Active Directory's, and everybody else's (RFC 4530). */
const GUID = 'objectGUID'
const LASTING = ['entryUUID', GUID]
const NO_SUCH_PLACE = new Set([32, 34])

/** The first value, by the attribute's name in whatever case the server writes it. */
function valueOf(entry: Entry, attribute: string | null): string | null {
  const written = attribute && Object.keys(entry).find((one) => one.toLowerCase() === attribute.toLowerCase())
  const [value] = written ? [entry[written]].flat() : []
  const text = Buffer.isBuffer(value) ? value.toString('hex') : value
  return text ? text.slice(0, VALUE_MAX) : null
}
const VALUE_MAX = 200

/** RFC 4515: whatever is typed stays a value, and no sign of it becomes part of the filter. */
export const filterFor = (filter: string, name: string): string => filter.replaceAll('{name}', () => escaped(name))
const escaped = (name: string) => name.replaceAll(/[\\*()\p{Cc}]/gu, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

async function accepts(client: Client, dn: string, password: string): Promise<boolean> {
  // RFC 4513, 5.1.2: a bind without a password always succeeds, and proves nothing.
  if (password === '') return false
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && !AWAY.has(error.code)) return false
    throw error
  }
}
/** Busy, unavailable: no word about the password. */
const AWAY = new Set([51, 52])

/** Turns a refusal of the server at this step into that result, for all of its codes or for these. */
const refusedAs =
  (result: CodeOf<typeof LookUp>, codes?: ReadonlySet<number>) =>
  (error: unknown): never => {
    throw error instanceof ResultCodeError && (codes?.has(error.code) ?? !AWAY.has(error.code)) ? new Fruitless(result, error.message) : error
  }

function fruitless(error: unknown): never {
  if (error instanceof Fruitless) throw error
  const { message, code } = error as Error & { code?: unknown }
  const of = typeof code === 'string' ? code : ''
  if (UNREACHABLE.has(of)) throw new Fruitless(LookUp.unreachable, message)
  if (/timed? ?out/i.test(message)) throw new Fruitless(LookUp.silent, message)
  if (/CERT|^ERR_(SSL|TLS)|^UNABLE_|^EPROTO$/.test(of) || message.includes('secure TLS connection')) throw new Fruitless(LookUp.tls, message)
  throw new Fruitless(LookUp.odd, message)
}
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'])

/** All answers of a conversation together: two entries with a few attributes and some references elsewhere are a hundredth of it. */
const ANSWERS_BYTES = 256 * 1024
const ANSWERS_MAX = 100
/**
 * The library's parser gets whole messages, one at a time, and not many. By itself it reads on by recursion, which many small messages at once drive into the end of the
 * stack; it waits for the rest of bytes that are no message; and it keeps whatever comes for as long as it comes.
 */
function watch(client: Client, fail: (why: Fruitless) => void): void {
  const parser: Parser = client['messageParser']
  const read = parser.read.bind(parser)
  let held = Buffer.alloc(0)
  let bytes = 0
  let answers = 0
  parser.on('error', (error) => fail(new Fruitless(LookUp.odd, error.message)))
  parser.read = (data, pending) => {
    bytes += data.length
    if (bytes > ANSWERS_BYTES) return fail(new Fruitless(LookUp.odd, 'the answer is too long'))
    held = Buffer.concat([held, data])
    try {
      for (let length = lengthOf(held); length !== undefined && length <= held.length; length = lengthOf(held)) {
        if (++answers > ANSWERS_MAX) return fail(new Fruitless(LookUp.odd, 'too many answers'))
        const message = held.subarray(0, length)
        held = held.subarray(length)
        read(message, pending)
      }
    } catch (error) {
      fail(new Fruitless(LookUp.odd, (error as Error).message))
    }
  }
}
interface Parser {
  read(data: Buffer, pending: unknown): void
  on(event: 'error', hear: (error: Error) => void): void
}

const SEQUENCE = 0x30
const LONG = 0x80
const LENGTH_BYTES_MAX = 4
/** Of the BER message that begins here, its head included; undefined while that is not known yet. @throws for what is none */
function lengthOf(held: Buffer): number | undefined {
  if (held.length > 0 && held[0] !== SEQUENCE) throw new Error('the answer is no LDAP message')
  if (held.length < 2) return undefined
  const first = held[1]!
  if (first < LONG) return 2 + first
  const digits = first - LONG
  if (digits === 0 || digits > LENGTH_BYTES_MAX) throw new Error('the answer is no LDAP message')
  return held.length < 2 + digits ? undefined : 2 + digits + held.readUIntBE(2, digits)
}
