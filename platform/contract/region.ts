/** An administrative region with those below it. */
export interface RegionNode {
  /** GB/T 2260, six digits; townships and villages by GB/T 10114, nine and twelve. */
  code: string
  name: string
  nameEn: string
  rank: number
  children: RegionNode[]
}

/**
 * The prefix shared by all codes within a region; the trailing zeros of a province or city carry no meaning. `420600` → `4206`;
 * the same as `platform.region_prefix`.
 */
export const regionPrefix = (code: string): string => (code.length === COUNTY_DIGITS ? code.replace(/(?:0000|00)$/, '') : code)
const COUNTY_DIGITS = 6
