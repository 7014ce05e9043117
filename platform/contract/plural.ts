/** The word that goes with a number in English: 1 car, 0 cars, 2 cars. Chinese has one form for all. */
export const plural = (n: number | null | undefined, one: string, many = `${one}s`) => (n === 1 ? one : many)

const PLACE = /\{(\w+)(?::([^|}]+)(?:\|([^}]+))?)?\}/g
/**
 * A sentence with its places filled: `{name}` is what `told` says of it. A count says its noun with it: `{left:bay}` is "1 bay" or "2 bays", `{left:try|tries}` one that takes no
 * plain s.
 */
export const filled = (sentence: string, told: (name: string, whole: string) => string): string =>
  sentence.replace(PLACE, (whole, name: string, one?: string, many?: string) => {
    const value = told(name, whole)
    return one ? `${value} ${plural(Number(value), one, many)}` : value
  })
/** The names of its places, in their order. */
export const placesOf = (sentence: string): string[] => [...sentence.matchAll(PLACE)].map((found) => found[1]!)
