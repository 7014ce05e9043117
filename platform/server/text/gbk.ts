let table: Map<string, Buffer> | undefined
/** Terminals speak Chinese in GBK, which Node reads and does not write. Undefined where it has no such sign. */
export function inGbk(text: string): Buffer | undefined {
  table ??= gbkTable()
  const bytes = [...text].map((sign) => (sign < '\u0080' ? Buffer.from(sign, 'latin1') : table!.get(sign)))
  return bytes.every((one) => one !== undefined) ? Buffer.concat(bytes) : undefined
}
function gbkTable(): Map<string, Buffer> {
  const decoder = new TextDecoder('gbk')
  const made = new Map<string, Buffer>()
  for (let first = 0x81; first <= 0xfe; first++)
    for (let second = 0x40; second <= 0xfe; second++) {
      const bytes = Buffer.from([first, second])
      const sign = decoder.decode(bytes)
      if ([...sign].length === 1 && sign !== '\ufffd') made.set(sign, bytes)
    }
  return made
}
