import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** What a certificate states. Times are in milliseconds, and before 2050. */
export interface Stated {
  name: string
  /** Hexadecimal digits, of which the first is 1 to 7. */
  serial: string
  from: number
  until: number
}
const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BITS = 0x03
const UTF8 = 0x0c
const UTC_TIME = 0x17
/** `sha256WithRSAEncryption` without parameters. */
const SHA256_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const VERSION_3 = Buffer.from('a003020102', 'hex')

/** A self-signed X.509 certificate as PEM. Node reads certificates and makes none. */
export function selfSigned({ name, serial, from, until }: Stated, privateKey: string): string {
  const holder = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(name)))))
  const stated = der(
    SEQUENCE,
    VERSION_3,
    der(INTEGER, Buffer.from(serial, 'hex')),
    SHA256_RSA,
    holder,
    der(SEQUENCE, der(UTC_TIME, timeOf(from)), der(UTC_TIME, timeOf(until))),
    holder,
    createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', stated, privateKey)
  const bytes = der(SEQUENCE, stated, SHA256_RSA, der(BITS, Buffer.of(0), signature))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
/** `yyMMddHHmmssZ`. */
const timeOf = (ms: number) => Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/\D/g, '')}Z`)
