/** `npm run bench -- --small`: every part with so little that it takes seconds, to see that it still runs. Its figures say nothing. */
export const isSmall = process.argv.includes('--small')

/** `npm run bench -- lists --stays=100000`: another size than the usual one, to see how a figure grows. What the README keeps is of the usual sizes. */
export function sizeOf(what: string, usual: number, small = usual): number {
  const said = process.argv.find((word) => word.startsWith(`--${what}=`))
  const size = said === undefined ? (isSmall ? small : usual) : Number(said.slice(what.length + 3))
  if (!Number.isSafeInteger(size) || size < 1) throw new Error(`--${what} is a whole number, at least 1.`)
  return size
}
