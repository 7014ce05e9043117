/** Two bytes for each sign of GBK, from a decoder that is asked about every pair once. */
let pairs: Map<string, [number, number]> | undefined

/** GBK and the two-byte part of GB 18030; a sign that has no pair becomes a question mark. */
export function gb18030(text: string): Uint8Array {
  const known = (pairs ??= allPairs())
  return Uint8Array.from([...text].flatMap((sign) => (sign < '\u0080' ? [sign.charCodeAt(0)] : (known.get(sign) ?? [0x3f]))))
}
function allPairs(): Map<string, [number, number]> {
  const decoder = new TextDecoder('gb18030')
  const made = new Map<string, [number, number]>()
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) made.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
  return made
}
