import { isPlate, normalizePlate } from '../../contract/plate.ts'

/** Plates out of what was typed or pasted, each once and in the form it is kept in. A space may stand within a plate and between two: it parts them where all its parts are plates. */
export function platesTyped(typed: readonly string[]): string[] {
  const found = typed
    .flatMap((one) => one.split(/[,，、;；\n]/))
    .flatMap((one) => {
      const parts = one.split(/\s+/).map(normalizePlate).filter(Boolean)
      return parts.every(isPlate) ? parts : [normalizePlate(one)]
    })
  return [...new Set(found.filter(Boolean))]
}
