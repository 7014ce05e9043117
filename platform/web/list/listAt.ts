export type Criteria = Record<string, string | number | boolean | readonly number[] | undefined>

/** The address of a list with its filter in it, as the list reads it: several values of a criterion are one text, `1,2`. */
export function listAt(path: string, criteria: Criteria): string {
  const asked = Object.entries(criteria).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`
}
