/** The form in which a password leaves the browser: lower-case hex SHA-256 of `lowercase(username) + ":" + password` in UTF-8. */
export async function digestOf(username: string, password: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${username.toLowerCase()}:${password}`)
  // Browsers keep their own digest from pages that are not served securely, as on a plain address of an office network.
  const hash = globalThis.crypto?.subtle ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : sha256(bytes)
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** SHA-256 as FIPS 180-4, 6.2 writes it: constants are the fractional parts of roots of the first primes. */
export function sha256(message: Uint8Array): Uint8Array {
  const { roots, state } = constants()
  const length = Math.ceil((message.length + 9) / 64) * 64
  const padded = new Uint8Array(length)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(length - 8, Math.floor((message.length * 8) / 2 ** 32))
  view.setUint32(length - 4, message.length * 8)
  for (let at = 0; at < length; at += 64) mix(state, roots, view, at)
  const hash = new DataView(new ArrayBuffer(32))
  state.forEach((word, place) => hash.setUint32(place * 4, word))
  return new Uint8Array(hash.buffer)
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))
function mix(state: Uint32Array, roots: Uint32Array, view: DataView, at: number) {
  const w = new Uint32Array(64)
  for (let i = 0; i < 64; i++) {
    const [a, b] = [w[i - 15] ?? 0, w[i - 2] ?? 0]
    const far = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
    const near = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
    w[i] = i < 16 ? view.getUint32(at + i * 4) : w[i - 16]! + far + w[i - 7]! + near
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + roots[i]! + w[i]!) | 0
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] = state[place]! + word))
}
function constants() {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n)
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
  return {
    roots: Uint32Array.from(primes, (p) => fraction(Math.cbrt(p))),
    state: Uint32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p))),
  }
}
