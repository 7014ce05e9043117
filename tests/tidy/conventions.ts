import type { Rule } from './rules.ts'

/** Of each domain, and of the platform: the first of its hundred refusal numbers. */
const BLOCKS: Readonly<Record<string, number>> = {
  platform: 40000,
  system: 40100,
  identity: 40200,
  message: 40300,
  ledger: 40400,
  settlement: 40500,
  fee: 40600,
  device: 40700,
  parking: 40800,
  dashboard: 40900,
  roadside: 41100,
  arrears: 41200,
  charging: 41300,
  member: 41400,
  owner: 41500,
  coupon: 41600,
  merchant: 41700,
  share: 41800,
  staff: 41900,
  inspection: 42000,
  'after-sale': 42100,
  'street-lamp': 42200,
  fleet: 42300,
  rent: 42400,
}
/** Numbers that clients knew before there were blocks. */
const FIXED = new Set([40010, 40011, 40020, 40030, 40041, 40901, 40902])
/** Below are the numbers of HTTP itself, which say only what kind of thing went wrong. */
const OWN_FROM = 1000

/** One refusal, one number, of its domain's block: whoever reads `40807` in a log finds the sentence. */
export const refusalNumbers: Rule = (sources) => {
  const homes = new Map<number, string>()
  return sources
    .filter(({ file }) => /^(domains|platform)\//.test(file) && !/\.test\.ts$|\/testing\.ts$/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\brefusal\(\s*'([^']+)',\s*(\d+)/g)].flatMap(([, id, digits]): string[] => {
        const number = Number(digits)
        if (number < OWN_FROM) return []
        const taken = homes.get(number)
        homes.set(number, id!)
        if (taken) return [`${file}: ${id} has the number of ${taken}, ${number}: take the next free one of its domain.`]
        const block = BLOCKS[file.startsWith('platform/') ? 'platform' : file.split('/')[1]!]
        if (block === undefined) return [`${file}: give its domain a block of a hundred numbers in tests/tidy/conventions.ts.`]
        return FIXED.has(number) || Math.floor(number / 100) * 100 === block
          ? []
          : [`${file}: ${id} has ${number}: its domain's numbers are ${block} to ${block + 99}.`]
      }),
    )
}

/** Code of a handler that writes a row by itself; `lockRow`, `setRow` and `removeRow` of `platform/server/row.ts` do it. */
const BY_ITSELF =
  /version: [\w.]*version \+ 1|'version', '\+', 1|updatedAt: new Date\(|updated_at = now\(\)|fn\('now'\)|updatedAt: \w+\.fn\.?\w*\('now'\)/
const MEMBERS = /\bdictionary\(\s*'[^']+',\s*\[[^\]]*\],\s*\{\s*\d+:/

/** Rows are written in one way, and the members of a closed list have names. */
export const newestForms: Rule = (sources) =>
  [
    {
      found: BY_ITSELF,
      where: /^domains\/[^/]+\/server\//,
      say: 'writes a row by itself: lockRow, setRow and removeRow of platform/server/row.ts do that.',
    },
    { found: MEMBERS, where: /^domains\/[^/]+\/contract\//, say: 'has a closed list whose members have no names.' },
  ].flatMap(({ found, where, say }) =>
    sources
      .filter(({ file, text }) => where.test(file) && !/\.test\.tsx?$|\/(testing|factory|factories)\.ts$/.test(file) && found.test(text))
      .map(({ file }) => `${file} ${say}`),
  )
