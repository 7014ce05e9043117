import { isIP } from 'node:net'
import path from 'node:path'

/** Something that a person must put right before the server can start. The message is the one line that they read; no stack is shown. */
export class StartRefusal extends Error {
  override name = 'StartRefusal'
}

/** The settings from the environment. README.md gives the name, meaning and default of each. */
export interface Config {
  port: number
  mqttPort: number
  /** Where charging piles connect; left out, they cannot. */
  ocppPort?: number
  /** Where terminals of the fleet's vehicles connect, JT/T 808 over TCP; left out, they cannot. */
  jt808Port?: number
  /** The key that encrypts the secrets of charging piles; without it one is made in `dataDir`. */
  ocppKey?: string | undefined
  host: string
  /** Absolute. */
  dataDir: string
  /** Where the heads of the logs' chains are noted each night, best on another machine's disk; without it under `dataDir`. */
  logHeadsDir?: string | undefined
  /** An owner's own PostgreSQL; without it the server runs the embedded one under `dataDir`. */
  databaseUrl: string | undefined
  demo: Demo
  /** Undefined: one is made up and printed. */
  demoPassword: string | undefined
  /** An owner's MQTT broker; without it the server listens itself on `mqttPort`. */
  mqttUrl: string | undefined
  role: Role
  /** A map of the owner's own under things; without one it is the drawn district. */
  map?: MapGround | undefined
  /** How many times the usual rate of calls is allowed; 0 for no limit. */
  rateLimit?: number
  /** Proxies in front of the server, by address or network: what they say of whom they speak for is believed. Undefined: nobody is. */
  trustProxy?: string[]
  /** The header by which such a proxy says whose client certificate it has checked: charging piles of security profile 3 come in by it. */
  pileCertHeader?: string
  /** A company's own identity provider; without it nobody is offered one. */
  oidc?: Oidc | undefined
}
/** An OpenID Connect provider, and how the console is known there. */
export interface Oidc {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name on the sign-in page. */
  name: string
  /** Where it sends the browser back: the sign-in page under the console's public address. */
  redirect: string
  /** The claim that names a person's username here, the first time they come. */
  claim: string
  /** Whose people it knows: nobody else is let in by it. */
  enterprise: number
}
/** Address of a style, or of tiles with `{z}`, `{x}` and `{y}`; the datum is that of its places. */
export interface MapGround {
  address: string
  datum: 'wgs84' | 'gcj02'
}
/** Ports, counted from PORT, of the services that a demo starts beside the server, or of the city that is played against it. */
export const DEMO_PORTS = { pay: 2, notify: 3, mail: 4, issuer: 5 } as const
export type Demo = 'small' | 'city' | 'none'
export type Role = 'all' | 'web' | 'worker' | 'gateway'

/** @throws StartRefusal naming the variable, its value and what it may be. An empty variable counts as not set. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const of = (name: string) => env[name]?.trim() || undefined
  const config: Config = {
    port: portOf('PORT', of('PORT') ?? '8600'),
    mqttPort: portOf('MQTT_PORT', of('MQTT_PORT') ?? '8601'),
    ocppPort: portOf('OCPP_PORT', of('OCPP_PORT') ?? '8610'),
    jt808Port: portOf('JT808_PORT', of('JT808_PORT') ?? '8620'),
    ocppKey: keyOf(of('OCPP_KEY')),
    host: hostOf(of('HOST') ?? '127.0.0.1'),
    dataDir: path.resolve(of('DATA_DIR') ?? '.data'),
    ...headsOf(of('LOG_HEADS_DIR')),
    databaseUrl: urlOf('DATABASE_URL', of('DATABASE_URL'), ['postgres:', 'postgresql:']),
    demo: oneOf('DEMO', of('DEMO') ?? 'city', ['small', 'city', 'none']),
    demoPassword: passwordOf(of('DEMO_PASSWORD')),
    mqttUrl: urlOf('MQTT_URL', of('MQTT_URL'), ['mqtt:', 'mqtts:', 'ws:', 'wss:']),
    role: oneOf('ROLE', of('ROLE') ?? 'all', ['all', 'web', 'worker', 'gateway']),
    rateLimit: rateOf(of('RATE_LIMIT') ?? '1'),
    oidc: oidcOf(of),
    ...proxiesOf(of('TRUST_PROXY')),
    ...certHeaderOf(of('OCPP_CERT_HEADER'), of('TRUST_PROXY')),
    map: mapOf(of('MAP_ADDRESS'), of('MAP_DATUM') ?? 'wgs84'),
  }
  if (config.port === config.mqttPort) throw wrong('MQTT_PORT', String(config.mqttPort), 'a port other than PORT', '不能与 PORT 相同')
  if ([config.port, config.mqttPort].includes(config.ocppPort!))
    throw wrong('OCPP_PORT', String(config.ocppPort), 'a port other than PORT and MQTT_PORT', '不能与 PORT、MQTT_PORT 相同')
  if ([config.port, config.mqttPort, config.ocppPort].includes(config.jt808Port!))
    throw wrong('JT808_PORT', String(config.jt808Port), 'a port other than PORT, MQTT_PORT and OCPP_PORT', '不能与 PORT、MQTT_PORT、OCPP_PORT 相同')
  if (config.demo !== 'none') leaveDemoPorts(config)
  if (config.role !== 'all' && !config.databaseUrl)
    throw wrong('ROLE', config.role, 'all, unless DATABASE_URL names a database that the processes share', '拆分进程需要 DATABASE_URL')
  return config
}

function leaveDemoPorts({ port, mqttPort, ocppPort, jt808Port }: Config): void {
  const taken = Object.values(DEMO_PORTS).map((after) => port + after)
  for (const [name, value] of Object.entries({ MQTT_PORT: mqttPort, OCPP_PORT: ocppPort, JT808_PORT: jt808Port }))
    if (value !== undefined && taken.includes(value))
      throw wrong(
        name,
        String(value),
        `a port other than ${taken.join(', ')}, where a demo with PORT=${port} listens too`,
        `演示环境占用 ${taken.join('、')}，请另选端口`,
      )
}

const headsOf = (directory: string | undefined) => (directory === undefined ? {} : { logHeadsDir: path.resolve(directory) })

const wrong = (name: string, value: string, may: string, zh: string) =>
  new StartRefusal(`${name}=${value.slice(0, 60)} cannot be used: it must be ${may}. 环境变量 ${name} 无效：${zh}。`)

function portOf(name: string, value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port < 1 || port > 65_535) throw wrong(name, value, 'a whole number from 1 to 65535', '应为 1 到 65535 的整数')
  return port
}

/** Half as long as a digest under it would still be out of reach; shorter ones are words. */
const KEY_MIN = 32
function keyOf(value: string | undefined): string | undefined {
  if (value !== undefined && value.length < KEY_MIN) throw wrong('OCPP_KEY', '...', `at least ${KEY_MIN} characters long`, `至少 ${KEY_MIN} 个字符`)
  return value
}

function hostOf(value: string): string {
  if (isIP(value) || /^[a-z0-9]([a-z0-9.-]{0,252})$/i.test(value)) return value
  throw wrong('HOST', value, 'an address or a host name, such as 127.0.0.1 or 0.0.0.0', '应为 IP 地址或主机名')
}

function urlOf(name: string, value: string | undefined, protocols: string[]): string | undefined {
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && protocols.includes(url.protocol)) return value
  // The value may hold a password: it is not repeated.
  throw wrong(name, '...', `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`, '地址格式不正确')
}

function oneOf<const T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (!found) throw wrong(name, value, `one of ${allowed.join(', ')}`, `应为 ${allowed.join('、')} 之一`)
  return found
}

/** Whole or not at all. A provider elsewhere is reached by https only; one on this machine may be tried without. */
function oidcOf(of: (name: string) => string | undefined): Oidc | undefined {
  const issuer = urlOf('OIDC_ISSUER', of('OIDC_ISSUER'), ['https:', 'http:'])
  if (!issuer) return undefined
  if (new URL(issuer).protocol === 'http:' && !['127.0.0.1', 'localhost'].includes(new URL(issuer).hostname))
    throw wrong('OIDC_ISSUER', '...', 'an address that begins with https://', '应以 https:// 开头')
  const needed = (name: string) => of(name) ?? missing(name)
  const url = urlOf('PUBLIC_URL', needed('PUBLIC_URL'), ['https:', 'http:'])!
  const enterprise = Number(of('OIDC_ENTERPRISE') ?? '1')
  if (!Number.isSafeInteger(enterprise) || enterprise < 1)
    throw wrong('OIDC_ENTERPRISE', of('OIDC_ENTERPRISE')!, 'the number of a company', '应为企业编号')
  return {
    issuer,
    clientId: needed('OIDC_CLIENT_ID'),
    clientSecret: needed('OIDC_CLIENT_SECRET'),
    name: of('OIDC_NAME') ?? new URL(issuer).hostname,
    redirect: `${url.replace(/\/$/, '')}/dist/login`,
    claim: of('OIDC_CLAIM') ?? 'preferred_username',
    enterprise,
  }
}
function missing(name: string): never {
  throw new StartRefusal(`${name} is needed where OIDC_ISSUER is set. 设置了 OIDC_ISSUER 时必须设置 ${name}。`)
}

function mapOf(address: string | undefined, datum: string): MapGround | undefined {
  const of = oneOf('MAP_DATUM', datum, ['wgs84', 'gcj02'])
  // Quotation marks and commas would end the page's policy or begin another.
  if (address !== undefined && /[\s"'<>;,]/.test(address))
    throw wrong('MAP_ADDRESS', '...', 'an address without spaces, quotes, commas and semicolons', '含有不能使用的字符')
  const url = urlOf('MAP_ADDRESS', address, ['http:', 'https:'])
  return url === undefined ? undefined : { address: url, datum: of }
}

const RATE_MAX = 1_000
function rateOf(value: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(value) || Number(value) > RATE_MAX)
    throw wrong('RATE_LIMIT', value, `a number from 0 (no limit) to ${RATE_MAX}`, `应为 0（不限）到 ${RATE_MAX} 的数`)
  return Number(value)
}

/** An address or a network (`10.0.0.0/8`), or the words that stand for the usual ones. */
function proxiesOf(value: string | undefined): { trustProxy?: string[] } {
  if (value === undefined) return {}
  const all = value.split(',').map((one) => one.trim())
  for (const one of all) {
    const [address = '', bits, more] = one.split('/')
    const family = isIP(address)
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128))
    if (!PROXY_WORDS.has(one) && !(family && fits && more === undefined))
      throw wrong(
        'TRUST_PROXY',
        value,
        'addresses or networks, such as 127.0.0.1 or 10.0.0.0/8, with commas between',
        '应为代理的 IP 地址或网段，以逗号分隔',
      )
  }
  return { trustProxy: all }
}
/** The header is believed only behind a known proxy: otherwise anybody who reaches the port could pose as any pile. */
function certHeaderOf(value: string | undefined, proxies: string | undefined): { pileCertHeader?: string } {
  if (value === undefined) return {}
  if (!/^[A-Za-z][A-Za-z0-9-]{2,63}$/.test(value))
    throw wrong('OCPP_CERT_HEADER', value, 'the name of a header, such as X-Client-Cert', '应为请求头名称，如 X-Client-Cert')
  if (proxies === undefined)
    throw wrong(
      'OCPP_CERT_HEADER',
      value,
      'set together with TRUST_PROXY, which names the proxy that sends it',
      '须同时以 TRUST_PROXY 指明发送该请求头的代理',
    )
  return { pileCertHeader: value.toLowerCase() }
}
const PROXY_WORDS = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** A demo may have a password that is easy to say; a shorter one is no password. It lets in everybody of the demo and its devices. */
const DEMO_PASSWORD_MIN = 4
const DEMO_PASSWORD_MAX = 128
function passwordOf(value: string | undefined): string | undefined {
  if (value !== undefined && (value.length < DEMO_PASSWORD_MIN || value.length > DEMO_PASSWORD_MAX))
    throw wrong(
      'DEMO_PASSWORD',
      '...',
      `${DEMO_PASSWORD_MIN} to ${DEMO_PASSWORD_MAX} characters long`,
      `应为 ${DEMO_PASSWORD_MIN} 到 ${DEMO_PASSWORD_MAX} 个字符`,
    )
  return value
}

// Run by itself it only checks: what starts a server asks it before it does anything that takes long.
if (import.meta.main)
  try {
    readConfig()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
