import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FILE = 'pay-sandbox.json'
/**
 * The secret that the payment channel and the issuer of ETC cards sign with: PAY_SANDBOX_SECRET, or the one that a demo server
 * keeps in its data directory, with the channel's address.
 */
export function channelIn(dataDir: string): { secret: string; url: string | undefined } {
  const file = path.join(dataDir, FILE)
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { secret: string; url: string }) : undefined
  const secret = process.env['PAY_SANDBOX_SECRET'] || kept?.secret
  if (!secret) throw new Error(`No secret: set PAY_SANDBOX_SECRET, or start a demo server first so that it writes ${file}.`)
  return { secret, url: kept?.url }
}
export const ownDataDir = (): string => path.resolve(process.env['DATA_DIR'] || '.data')

/** The value of `--port`, or `usual`. */
export function portFrom(args: readonly string[], usual: number): number {
  const at = args.indexOf('--port')
  const port = at > 0 ? Number(args[at + 1]) : usual
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port takes a whole number from 0 to 65535.')
  return port
}
