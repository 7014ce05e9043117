import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Config } from '../../platform/server/start/config.ts'
import { addressOf } from './upgrade.ts'

/** The networks behind the words of TRUST_PROXY. */
const NETWORKS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whose client certificate the TLS edge has checked: its common name, believed of trusted proxies alone. Undefined where none says so. */
export function openCertificates({ trustProxy = [], pileCertHeader }: Config): (request: IncomingMessage) => string | undefined {
  if (pileCertHeader === undefined) return () => undefined
  const trusted = new BlockList()
  for (const one of trustProxy.flatMap((word) => NETWORKS[word] ?? [word])) {
    const [address, bits] = one.split('/') as [string, string?]
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  return (request) => {
    const address = addressOf(request).replace(/^::ffff:/, '')
    const said = request.headers[pileCertHeader]
    return typeof said === 'string' && trusted.check(address, familyOf(address)) ? commonNameIn(said) : undefined
  }
}
/** A name alone, or a distinguished name as RFC 2253 writes it: `CN=CP-1,O=Kerb\, Ltd`. One with two common names, with quotes or with an escape that is none is nobody's. */
export function commonNameIn(said: string): string | undefined {
  if (!said.includes('=')) return said.trim() || undefined
  if (!DISTINGUISHED.test(said)) return undefined
  const names = said.match(PART)!.flatMap((part) => {
    const [name, ...value] = part.split('=')
    return name!.trim().toUpperCase() === 'CN' ? [unescaped(value.join('=').trim())] : []
  })
  return names.length === 1 ? names[0] : undefined
}
/** Two digits stand for a byte of UTF-8; a sign that means something, behind a backslash, for itself. */
const DISTINGUISHED = /^(?:[^\\";]|\\(?:[0-9A-Fa-f]{2}|[ ,=+<>#;"\\]))+$/
const PART = /(?:[^\\,+]|\\.)+/g
const unescaped = (value: string) =>
  value.replace(
    /((?:\\[0-9A-Fa-f]{2})+)|\\(.)/g,
    (_, bytes?: string, sign?: string) => sign ?? Buffer.from(bytes!.replaceAll('\\', ''), 'hex').toString(),
  )
