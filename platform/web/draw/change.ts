/** By how many per cent a figure grew or fell; nothing where that says nothing: without another figure, from nothing, or across a change of sign. */
export function changeIn(now: number | null | undefined, before: number | null | undefined): number | undefined {
  if (!before || now === null || now === undefined || now * before < 0) return undefined
  return Math.round(((now - before) / Math.abs(before)) * 100)
}
