import { TRAFFIC } from '../../parking/contract/figures.ts'

/** The lists that parts of the first page open, each with its filter in the address; those of its figures are declared with them. */
export const ABNORMAL = TRAFFIC.abnormal.opens.path
