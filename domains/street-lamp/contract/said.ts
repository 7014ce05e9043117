import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('street-lamp', {
  program: ['程序', 'Program'],
  byDefault: ['默认程序 {boxCode}', 'Default program {boxCode}'],
})
