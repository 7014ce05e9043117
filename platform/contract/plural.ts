/** The word that goes with a number in English: 1 car, 0 cars, 2 cars. Chinese has one form for all. */
export const plural = (n: number | null | undefined, one: string, many = `${one}s`) => (n === 1 ? one : many)
