import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { BerReader } from 'ldapts'
import { Encryption } from '../contract/directory.ts'

/** Somebody in the directory. */
interface Person {
  dn: string
  password: string
  attributes: Record<string, string[]>
}
/** Faults that a test directory can have, each from the step on that it is named for. */
export type Wrong = 'hangs' | 'stalls' | 'garbage' | 'nonsense' | 'floods' | 'crumbs' | 'hangs up' | 'refers'

/** A directory that keeps to RFC 4511 as far as a sign-in goes: bind, search, StartTLS. */
export interface TestDirectory {
  port: number
  /** The authority of its certificate: the certificate itself, of 127.0.0.1. */
  ca: string
  people: Person[]
  wrong: Wrong | undefined
  /** Where it refers to. */
  elsewhere: string
  /** A record of requests: the names and passwords of binds, the filters of searches, and how often somebody connected. */
  heard: { binds: [dn: string, password: string][]; filters: string[]; connections: number; clear: string[] }
  person(uid: string, more?: Partial<Person>): Person
  close(): void
}
export const READER = { dn: 'cn=reader,dc=example,dc=com', password: 'the reader’s password' }
export const PEOPLE = 'ou=people,dc=example,dc=com'

/** The types of messages and filters, as they are tagged. */
const Op = { bind: 0x60, bound: 0x61, unbind: 0x42, search: 0x63, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x77, answered: 0x78 }
const Filter = { and: 0xa0, or: 0xa1, equals: 0xa3, present: 0x87 }
const Code = { success: 0, sizeLimit: 4, noSuchObject: 32, invalidCredentials: 49 }
const START_TLS = '1.3.6.1.4.1.1466.20037'

export async function aDirectory(encryption: number): Promise<TestDirectory> {
  const secure = certificate()
  const sockets = new Set<Socket>()
  const made: TestDirectory = {
    port: 0,
    ca: secure.cert,
    people: [],
    wrong: undefined,
    elsewhere: '',
    heard: { binds: [], filters: [], connections: 0, clear: [] },
    person(uid, more = {}) {
      const attributes = { uid: [uid], displayName: [`${uid} there`], mail: [`${uid}@example.com`], entryUUID: [randomUUID()], ...more.attributes }
      const one = { dn: `uid=${uid},${PEOPLE}`, password: `${uid}-over-there`, ...more, attributes }
      made.people.push(one)
      return one
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  const server: Server = createServer((socket) => {
    made.heard.connections++
    sockets.add(socket.on('error', () => {}))
    const encrypted = () => new TLSSocket(socket, { isServer: true, ...secure }).on('error', () => {})
    listen(encryption === Encryption.ldaps ? encrypted() : socket, made, () => made.wrong !== 'stalls' && listen(encrypted(), made))
  })
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up).unref())
  made.port = (server.address() as AddressInfo).port
  return made
}

function listen(socket: Socket, of: TestDirectory, startTls?: () => unknown): void {
  let held = Buffer.alloc(0)
  const hear = (data: Buffer) => {
    if (!(socket instanceof TLSSocket)) of.heard.clear.push(data.toString('latin1'))
    held = Buffer.concat([held, data])
    for (;;) {
      const reader = new BerReader(held)
      if (reader.readSequence() === null || reader.remain < reader.length) return
      const end = reader.offset + reader.length
      const upgrades = answer(socket, of, new BerReader(held.subarray(reader.offset, end)))
      held = held.subarray(end)
      if (upgrades) {
        socket.removeAllListeners('data')
        return void startTls?.()
      }
    }
  }
  socket.on('data', (data: Buffer) => {
    try {
      hear(data)
    } catch {
      // Bytes that are not LDAP, the beginning of TLS for example, end the connection.
      socket.destroy()
    }
  })
}

/** Answers one message; true where the connection is to be encrypted from here on. */
function answer(socket: Socket, of: TestDirectory, reader: BerReader): boolean {
  const id = reader.readInt()!
  const op = reader.readSequence()
  const say = (...messages: Buffer[]) => void socket.write(Buffer.concat(messages.map((one) => der(0x30, integer(id), one))))
  if (of.wrong && misbehave(socket, of.wrong, id)) return false
  if (op === Op.bind) {
    reader.readInt()
    const [dn, password] = [reader.readString()!, reader.readString(0x80)!]
    of.heard.binds.push([dn, password])
    const right = password === '' || [READER, ...of.people].some((one) => one.dn === dn && one.password === password)
    say(result(Op.bound, right ? Code.success : Code.invalidCredentials))
  } else if (op === Op.search) {
    const base = reader.readString()!
    reader.readEnumeration()
    reader.readEnumeration()
    const most = reader.readInt()!
    reader.readInt()
    reader.readBoolean()
    const filter = filterIn(reader)
    of.heard.filters.push(filter.text)
    if (!PEOPLE.endsWith(base)) say(result(Op.done, Code.noSuchObject))
    else {
      const found = of.people.filter(filter.fits)
      const reference = of.wrong === 'refers' ? [der(Op.reference, text(of.elsewhere))] : []
      say(...reference, ...found.slice(0, most).map(entryOf), result(Op.done, found.length > most ? Code.sizeLimit : Code.success))
      if (of.wrong === 'hangs up') socket.end()
    }
  } else if (op === Op.extended) {
    const known = reader.readString(0x80) === START_TLS
    say(result(Op.answered, known ? Code.success : 2))
    return known
  } else if (op === Op.unbind) socket.end()
  return false
}

function misbehave(socket: Socket, wrong: Wrong, id: number): boolean {
  if (wrong === 'garbage') socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
  // A whole message, of which nothing is as it should be inside.
  if (wrong === 'nonsense') socket.write(der(0x30, integer(id), der(Op.bound, Buffer.from([0x04, 0x7f, 0x00]))))
  if (wrong === 'floods') socket.write(Buffer.concat([Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(4 * 1024 * 1024)]))
  if (wrong === 'crumbs') socket.write(Buffer.concat(Array.from({ length: CRUMBS }, () => der(0x30, integer(0), der(Op.entry, text(''), der(0x30))))))
  return !LATER.has(wrong)
}
/** These answer properly at first. */
const LATER = new Set<Wrong>(['stalls', 'hangs up', 'refers'])
/** More than one piece of a stream has room for. */
const CRUMBS = 20_000

interface Asked {
  text: string
  fits: (one: Person) => boolean
}
function filterIn(reader: BerReader): Asked {
  const tag = reader.peek()!
  const valuesOf = (one: Person, name: string) => Object.entries(one.attributes).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? []
  if (tag === Filter.present) {
    const name = reader.readString(tag)!
    return { text: `(${name}=*)`, fits: (one) => valuesOf(one, name).length > 0 }
  }
  reader.readSequence(tag)
  const end = reader.offset + reader.length
  if (tag === Filter.equals) {
    const [name, value] = [reader.readString()!, reader.readString()!]
    return { text: `(${name}=“${value}”)`, fits: (one) => valuesOf(one, name).some((each) => each.toLowerCase() === value.toLowerCase()) }
  }
  const parts: Asked[] = []
  while (reader.offset < end) parts.push(filterIn(reader))
  const all = tag === Filter.and
  return {
    text: `(${all ? '&' : '|'}${parts.map((one) => one.text).join('')})`,
    fits: (one) => (all ? parts.every(({ fits }) => fits(one)) : parts.some(({ fits }) => fits(one))),
  }
}

/** ASN.1 as bytes: a tag, how long it is, and what is in it. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const inside = Buffer.concat(parts)
  const length = inside.length < 0x80 ? [inside.length] : [0x82, inside.length >> 8, inside.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), inside])
}
const text = (value: string, tag = 0x04) => der(tag, Buffer.from(value))
const integer = (value: number, tag = 0x02) => der(tag, Buffer.from([(value >> 8) & 0x7f, value & 0xff]))
const result = (op: number, code: number) => der(op, integer(code, 0x0a), text(''), text(code === Code.success ? '' : 'refused'))
const entryOf = ({ dn, attributes }: Person) =>
  der(
    Op.entry,
    text(dn),
    der(0x30, ...Object.entries(attributes).map(([name, values]) => der(0x30, text(name), der(0x31, ...values.map((one) => text(one)))))),
  )

/** An X.509 certificate of 127.0.0.1 that has signed itself, with its key. */
function certificate(): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const hex = (value: string) => Buffer.from(value, 'hex')
  const ecdsaWithSha256 = der(0x30, der(0x06, hex('2a8648ce3d040302')))
  const name = der(0x30, der(0x31, der(0x30, der(0x06, hex('550403')), text('directory', 0x0c))))
  const time = (years: number) =>
    text(
      `${new Date(Date.now() + years * YEAR_MS)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(0, 14)}Z`,
      0x18,
    )
  const addresses = der(0x30, der(0x06, hex('551d11')), der(0x04, der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])))))
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ...[ecdsaWithSha256, name, der(0x30, time(-1), time(1)), name],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, addresses)),
  )
  const signature = createSign('SHA256').update(signed).sign(privateKey)
  const whole = der(0x30, signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
const YEAR_MS = 365 * 24 * 3_600_000
