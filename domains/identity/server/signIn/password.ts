import { argon2, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { refusal, TooMany } from '../../../../platform/server/refusal.ts'

/** Argon2id as OWASP's first choice for servers with little memory: 19 MiB, two passes. */
const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32
/** A hash takes a whole core for some 30 ms: more at once would only slow everybody, and a longer queue would hold memory for guesses. */
const AT_ONCE = 2
const WAITING_MAX = 200

export const Mismatch = refusal('identity.password-mismatch', 40214, '两次输入密码不一致!', 'The two passwords differ', 422)
export const SamePassword = refusal(
  'identity.same-password',
  40215,
  '新密码不能与原密码相同，请换一个密码',
  'The new password must differ from the old one: choose another one',
  422,
)

/** The digest that is sent in place of a password: hex SHA-256 of `lowercase(username) + ":" + password`. */
export const digestOf = (username: string, password: string) => hash('sha256', `${username.toLowerCase()}:${password}`)

/** `$argon2id$v=19$m=…,t=…,p=1$salt$hash`, of the digest. */
export async function hashed(digest: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive(digest, salt, MEMORY_KIB, PASSES)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${salt.toString('base64')}$${tag.toString('base64')}`
}

/** Takes as long for a name that nobody has (`undefined`) as for a wrong password. */
export async function matches(digest: string, stored: string | undefined): Promise<boolean> {
  const [, , , parameters, salt, tag] = (stored ?? NOBODY).split('$') as [string, string, string, string, string, string]
  const [memory, passes] = /^m=(\d+),t=(\d+),/.exec(parameters)!.slice(1).map(Number) as [number, number]
  const wanted = Buffer.from(tag, 'base64')
  const got = await derive(digest, Buffer.from(salt, 'base64'), memory, passes)
  return timingSafeEqual(got, wanted) && stored !== undefined
}
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(TAG_BYTES).toString('base64')}`

/** For somebody who has no password yet: nothing that is sent comes out as these bytes. */
export const noPassword = () => NOBODY.slice(0, NOBODY.lastIndexOf('$') + 1) + randomBytes(TAG_BYTES).toString('base64')

/** For initial and reset passwords: 16 characters of every class that the page asks for, none that look alike. A letter stands first, so that no spreadsheet takes one for a formula. */
export function randomPassword(): string {
  const classes = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '@#%*?']
  const pick = (from: string) => from[randomInt(from.length)]!
  const letters = classes[0]! + classes[1]!
  const characters = [...classes.map(pick), ...Array.from({ length: 11 }, () => pick(classes.join('')))]
  for (let i = characters.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[characters[i], characters[j]] = [characters[j]!, characters[i]!]
  }
  return pick(letters) + characters.join('')
}

let running = 0
const waiting: (() => void)[] = []
async function derive(digest: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX) throw TooMany()
    await new Promise<void>((go) => waiting.push(go))
  } else running++
  try {
    return await new Promise<Buffer>((resolve, reject) =>
      argon2('argon2id', { message: digest, nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes }, (error, tag) =>
        error ? reject(error) : resolve(tag as Buffer),
      ),
    )
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
