import { isIP } from 'node:net'
import path from 'node:path'

/** Something that a person must put right before the server can start. The message is the one line that they read; no stack is shown. */
export class StartRefusal extends Error {
  override name = 'StartRefusal'
}

/** What the environment says. Every name, its meaning and its default stand in README.md. */
export interface Config {
  port: number
  mqttPort: number
  host: string
  /** Absolute. */
  dataDir: string
  /** An owner's own PostgreSQL; without it the server runs the embedded one under `dataDir`. */
  databaseUrl: string | undefined
  demo: Demo
  /** Undefined: one is made up and printed. */
  demoPassword: string | undefined
  /** An owner's MQTT broker; without it the server listens itself on `mqttPort`. */
  mqttUrl: string | undefined
  role: Role
  /** How many times the usual rate of calls is allowed; 0 for no limit. */
  rateLimit?: number
}
export type Demo = 'small' | 'city' | 'none'
export type Role = 'all' | 'web' | 'worker' | 'gateway'

/** @throws StartRefusal naming the variable, its value and what it may be. An empty variable counts as not set. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const of = (name: string) => env[name]?.trim() || undefined
  const config: Config = {
    port: portOf('PORT', of('PORT') ?? '8600'),
    mqttPort: portOf('MQTT_PORT', of('MQTT_PORT') ?? '8601'),
    host: hostOf(of('HOST') ?? '127.0.0.1'),
    dataDir: path.resolve(of('DATA_DIR') ?? '.data'),
    databaseUrl: urlOf('DATABASE_URL', of('DATABASE_URL'), ['postgres:', 'postgresql:']),
    demo: oneOf('DEMO', of('DEMO') ?? 'city', ['small', 'city', 'none']),
    demoPassword: passwordOf(of('DEMO_PASSWORD')),
    mqttUrl: urlOf('MQTT_URL', of('MQTT_URL'), ['mqtt:', 'mqtts:', 'ws:', 'wss:']),
    role: oneOf('ROLE', of('ROLE') ?? 'all', ['all', 'web', 'worker', 'gateway']),
    rateLimit: rateOf(of('RATE_LIMIT') ?? '1'),
  }
  if (config.port === config.mqttPort) throw wrong('MQTT_PORT', String(config.mqttPort), 'a port other than PORT', '不能与 PORT 相同')
  if (config.role !== 'all' && !config.databaseUrl)
    throw wrong('ROLE', config.role, 'all, unless DATABASE_URL names a database that the processes share', '拆分进程需要 DATABASE_URL')
  return config
}

const wrong = (name: string, value: string, may: string, zh: string) =>
  new StartRefusal(`${name}=${value.slice(0, 60)} cannot be used: it must be ${may}. 环境变量 ${name} 无效：${zh}。`)

function portOf(name: string, value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port < 1 || port > 65_535) throw wrong(name, value, 'a whole number from 1 to 65535', '应为 1 到 65535 的整数')
  return port
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

const RATE_MAX = 1_000
function rateOf(value: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(value) || Number(value) > RATE_MAX)
    throw wrong('RATE_LIMIT', value, `a number from 0 (no limit) to ${RATE_MAX}`, `应为 0（不限）到 ${RATE_MAX} 的数`)
  return Number(value)
}

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
