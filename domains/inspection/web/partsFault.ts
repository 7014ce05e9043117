import type { Of } from '../../../platform/contract/field.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Part } from '../contract/repair.ts'

const { qty: QTY, priceFen: PRICE } = Part.properties
/** Returns the fault of a number in some line of parts; the numbers stay as they were typed. */
export const partsFault = ({ parts = [] }: Readonly<{ parts?: readonly Of<typeof Part>[] }>) =>
  parts.flatMap(({ qty, priceFen }) => [numberFault(QTY, qty), numberFault(PRICE, priceFen)]).find((fault) => fault !== undefined)
