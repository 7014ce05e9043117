import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Config, DEMO_PORTS, StartRefusal } from '../../../platform/server/start/config.ts'
import { NoProvider, type PayProvider, setProvider } from './pay/provider.ts'
import { type SandboxSettings, sandboxProvider } from './pay/sandbox.ts'
import { notice } from '../contract/payment.ts'
import { addressOf } from '../../../platform/contract/call.ts'

/** Payment methods that the sandbox channel simulates. */
const SANDBOX_CHANNELS = ['wechat', 'alipay', 'unionpay', 'ecny']
/** A shorter secret can be guessed. */
const SECRET_MIN = 32

/**
 * The sandbox channel, from PAY_SANDBOX_URL, PAY_SANDBOX_SECRET and PAY_NOTIFY_URL. Without a secret there is none, except in a demo: that one makes its own,
 * kept in `pay-sandbox.json` of the data directory, where the city's channel process finds it.
 * @throws StartRefusal for a secret that can be guessed
 */
export function setUpChannels(config: Config, env: Record<string, string | undefined>): void {
  const settings = settingsFrom(config, env)
  if (settings && settings.secret.length < SECRET_MIN)
    throw new StartRefusal(
      `PAY_SANDBOX_SECRET must have at least ${SECRET_MIN} characters: a shorter one can be guessed. 支付密钥过短，至少 ${SECRET_MIN} 个字符。`,
    )
  useSandbox(settings)
  useIssuer(settings && { ...settings, url: env['ETC_SANDBOX_URL'] || `http://127.0.0.1:${config.port + DEMO_PORTS.issuer}` })
}
export const useSandbox = (settings: SandboxSettings | undefined): void => setProvider(SANDBOX_CHANNELS, settings && sandboxProvider(() => settings))

/** The issuer of ETC cards takes refunds only: charges are taken at the lane, and cleared by its file. */
export const useIssuer = (settings: SandboxSettings | undefined): void =>
  setProvider(
    ['etc'],
    settings && {
      ...issuerOnly(sandboxProvider(() => settings)),
      create: () => Promise.reject(NoProvider()),
      query: async () => ({ state: 'none' }),
      close: async () => {},
      dayFile: async () => undefined,
    },
  )

const issuerOnly = ({ agreements: _, ...provider }: PayProvider): PayProvider => provider

function settingsFrom({ demo, dataDir, port }: Config, env: Record<string, string | undefined>): SandboxSettings | undefined {
  const url = env['PAY_SANDBOX_URL'] || `http://127.0.0.1:${port + DEMO_PORTS.pay}`
  const notifyUrl = env['PAY_NOTIFY_URL'] || `http://127.0.0.1:${port}${addressOf(notice.sandbox)}`
  const given = env['PAY_SANDBOX_SECRET']
  if (given) return { url, notifyUrl, secret: given }
  return demo === 'none' || port === 0 ? undefined : { url, notifyUrl, secret: demoSecret(dataDir, url) }
}

function demoSecret(dataDir: string, url: string): string {
  const file = path.join(dataDir, 'pay-sandbox.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { secret?: string; url?: string }) : {}
  const secret = kept.secret ?? randomBytes(32).toString('hex')
  if (kept.url !== url || !kept.secret) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, JSON.stringify({ secret, url }), { mode: 0o600 })
  }
  return secret
}
