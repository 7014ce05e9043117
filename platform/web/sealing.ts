/** As `domains/rent/server/sealing.ts` opens it. Only whoever has the other key reads what is closed here: not this server, and not whoever reads its database. */
const INFO = 'kerbline seal 1'
const X25519 = { name: 'X25519' }
const AES = 'AES-GCM'
const KEY_BYTES = 32
/** Each message has a key of its own, so that one start will do. */
const START = new Uint8Array(12)
type Bytes = Uint8Array<ArrayBuffer>

const textOf = (bytes: Bytes): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const bytesOf = (text: string): Bytes => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
const pair = async () => (await crypto.subtle.generateKey(X25519, true, ['deriveBits'])) as CryptoKeyPair
const rawOf = async (key: CryptoKey): Promise<Bytes> => new Uint8Array(await crypto.subtle.exportKey('raw', key))

/** A key whose second half never leaves this browser but as the code that is shown to its person. */
export async function newCode(): Promise<{ publicKey: string; code: string }> {
  const { publicKey, privateKey } = await pair()
  const { d } = await crypto.subtle.exportKey('jwk', privateKey)
  return { publicKey: textOf(await rawOf(publicKey)), code: d! }
}
/** Seals a message, and returns with it the commitment that proves later that nothing else was in it. */
export async function sealed(sealKey: string, message: string): Promise<{ cipher: string; commitment: string }> {
  const [once, to] = [await pair(), bytesOf(sealKey)]
  const from = await rawOf(once.publicKey)
  const other = await crypto.subtle.importKey('raw', to, X25519, false, [])
  const shared = await crypto.subtle.importKey(
    'raw',
    await crypto.subtle.deriveBits({ ...X25519, public: other }, once.privateKey, 8 * KEY_BYTES),
    'HKDF',
    false,
    ['deriveKey'],
  )
  const salt = Uint8Array.from([...from, ...to])
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(INFO) }
  const key = await crypto.subtle.deriveKey(how, shared, { name: AES, length: 8 * KEY_BYTES }, false, ['encrypt'])
  const said = new TextEncoder().encode(message)
  const closed = new Uint8Array(await crypto.subtle.encrypt({ name: AES, iv: START }, key, said))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', said))
  return { cipher: textOf(Uint8Array.from([...from, ...closed])), commitment: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}
/** A bid as it is closed: with what nobody can guess, and with whose it is, so that nobody else's is passed off as theirs. */
export const bidMessage = (enrollId: string, bidFen: number): string =>
  JSON.stringify({ enrollId, bidFen, salt: textOf(crypto.getRandomValues(new Uint8Array(KEY_BYTES))) })
