import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'

/** An address that the server does not go to, or that did not answer as it should. */
export class NotReached extends Error {
  override name = 'NotReached'
  /** Nothing has left: the address itself is refused. */
  readonly refused: boolean
  constructor(text: string, refused: boolean) {
    super(text)
    this.refused = refused
  }
}

/** Limits for an address that a user gave: the answer must come soon, be short, and come from the host that was asked. */
export const OUTSIDE_MS = 5_000
export const OUTSIDE_BYTES = 5 * 1024 * 1024

type Resolve = (hostname: string) => Promise<string[]>
const byDns: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address)
let resolve = byDns
const allowed = new Set<string>()

/** `127.0.0.1:8603` or a name with its port: addresses of our own network that the configuration names. */
export const allowOutside = (hosts: readonly string[]): void => hosts.forEach((one) => allowed.add(one))
export const isAllowed = (hostname: string, port: number): boolean => allowed.has(`${hostname}:${port}`)
/** Tests bring a name server of their own; without one it is the system's. */
export const resolveWith = (other: Resolve | undefined): void => void (resolve = other ?? byDns)

/**
 * The address to connect to for a name. It is looked up once and that very address is used, so that a name cannot mean something else a moment later.
 * @throws NotReached when it, or any address of the name, lies within our own network, on this machine, or is nobody's
 */
export async function addressFor(hostname: string, port: number): Promise<string> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(name) ? [name] : await resolve(name).catch(() => [] as string[])
  if (found.length === 0) throw new NotReached(`${name} has no address`, false)
  if (!isAllowed(name, port) && !found.every(isPublic)) throw new NotReached(`${name} lies within a network that messages do not go to`, true)
  return found[0]!
}

export interface OutsideAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  /** As they came: a file is no text. */
  bytes: Buffer
}
interface OutsideRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** A file takes longer, and is longer, than an answer. */
  ms?: number
  bytesMax?: number
}
/** One request to an address that a person has given. A redirect is an error: it would lead to another. @throws NotReached */
export async function askOutside(
  address: string,
  { method = 'POST', headers = {}, body = '', ms = OUTSIDE_MS, bytesMax = OUTSIDE_BYTES }: OutsideRequest,
): Promise<OutsideAnswer> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new NotReached('the address is not a plain http or https address', true)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = await addressFor(url.hostname, port)
  const secure = url.protocol === 'https:'
  return new Promise((done, fail) => {
    const request = (secure ? https : http).request({
      host,
      port,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(ms),
      agent: false,
      ...(secure && { servername: isIP(url.hostname) ? '' : url.hostname }),
    })
    request.on('error', (error) => fail(new NotReached(error.name === 'AbortError' ? `no answer within ${ms / 1000} s` : error.message, false)))
    request.on('response', (reply) => read(reply, ms, bytesMax).then(done, fail))
    request.end(body)
  })
}

async function read(reply: http.IncomingMessage, ms: number, bytesMax: number): Promise<OutsideAnswer> {
  const status = reply.statusCode ?? 0
  if (status >= 300 && status < 400) {
    reply.destroy()
    throw new NotReached(`it answered ${status}, a redirect, which is not followed`, false)
  }
  // A sign may be cut between two parts.
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of reply) {
      length += (part as Buffer).length
      if (length > bytesMax) throw new Error('its answer is too long')
      parts.push(part as Buffer)
    }
  } catch (error) {
    throw new NotReached((error as Error).name === 'AbortError' ? `no whole answer within ${ms / 1000} s` : (error as Error).message, false)
  }
  const bytes = Buffer.concat(parts)
  return { status, headers: reply.headers, text: bytes.toString(), bytes }
}

/** IANA's special-purpose addresses: this machine, private and shared networks, link-local (and with it the cloud's metadata), documentation, multicast. */
const special = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(net, bits, 'ipv4')
/** Of IPv6 only what is given to the world; within it Teredo, documentation and 6to4 hide or lead to other addresses. */
const world = new BlockList()
world.addSubnet('2000::', 3, 'ipv6')
const tunnels = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  tunnels.addSubnet(net, bits, 'ipv6')

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return world.check(address, 'ipv6') && !tunnels.check(address, 'ipv6')
}
