/** White space, and what looks like it: signs without a width, and letters that are drawn as nothing. */
const BLANK = /[\s\u00ad\u115f\u1160\u180e\u200b-\u200f\u2060\u2800\u3164\uffa0]/

/** A text without the blanks before and behind it. Sign by sign, for an expression would try a long run of blanks once for each of them. */
export function bare(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && BLANK.test(text[from]!)) from++
  while (to > from && BLANK.test(text[to - 1]!)) to--
  return text.slice(from, to)
}
