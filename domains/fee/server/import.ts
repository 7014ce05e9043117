import type { Tariff } from '../contract/tariff.ts'
import { TariffSchema } from '../contract/tariffSchema.ts'
import { type Gap, gapsOf, withFreeGaps } from './catalogue.ts'
import { BadTariff, listAt, objectAt, tariffOfPublished } from './published.ts'
import { schemaCheck } from './schemaCheck.ts'

export interface Imported {
  name: string
  tariff: Tariff
  origin: unknown
  /** Times that no band covered; they are free from now on, and a warning says so. */
  gaps: Gap[]
}
/** A document holds the rules of some places, not of a country. */
const RULES_MAX = 200

/**
 * The rules in a document: a tariff of ours (`schema`), one published rule (`segments` or `table`), `rules` by name, or a file of `tariffs`.
 * Throws BadTariff with the place of the first mistake.
 */
export function imported(document: unknown, { name, rule }: { name?: string | undefined; rule?: string | undefined }): Imported[] {
  const all = rulesIn(document, name).filter((one) => rule === undefined || one.name === rule || one.key === rule)
  if (all.length === 0) throw new BadTariff('document', rule ? `没有规则 ${rule}` : '没有任何规则', rule ? `has no rule ${rule}` : 'has no rules')
  if (all.length > RULES_MAX) throw new BadTariff('document', `规则多于 ${RULES_MAX} 条`, `has more than ${RULES_MAX} rules`)
  return all.map((one) => {
    const gaps = gapsOf(one.tariff)
    return { name: (all.length === 1 ? name : undefined) ?? one.name, tariff: withFreeGaps(one.tariff, gaps), origin: one.origin, gaps }
  })
}

interface Found {
  key: string
  name: string
  tariff: Tariff
  origin: unknown
}
function rulesIn(document: unknown, name = '规则'): Found[] {
  const found = objectAt(document, 'document')
  if ('schema' in found) return [{ key: name, name, tariff: own(found), origin: document }]
  if ('tariffs' in found) return listAt(found['tariffs'], 'tariffs').flatMap((one, i) => rulesOf(objectAt(one, `tariffs[${i}]`), `tariffs[${i}]`))
  if ('rules' in found) return rulesOf(found, '')
  return [{ key: name, name, tariff: tariffOfPublished(found, currencyOf(found), 'document', { more: ['currency'] }), origin: document }]
}
const currencyOf = ({ currency }: Record<string, unknown>) => (typeof currency === 'string' ? currency.slice(0, 3) : 'CNY')

function rulesOf(tariff: Record<string, unknown>, where: string): Found[] {
  const title = typeof tariff['title'] === 'string' ? tariff['title'] : typeof tariff['id'] === 'string' ? tariff['id'] : ''
  const at = where ? `${where}.rules` : 'rules'
  const beside = objectAt(tariff['rules'], at)
  return Object.entries(beside)
    .filter(([key]) => !key.startsWith('_'))
    .map(([key, written]) => {
      const name = `${title ? `${title} ` : ''}${key}`.slice(0, 100)
      const isOwn = typeof written === 'object' && written !== null && 'schema' in written
      return { key, name, tariff: isOwn ? own(written) : tariffOfPublished(written, currencyOf(tariff), `${at}.${key}`, { beside }), origin: written }
    })
}

const check = schemaCheck(TariffSchema)
function own(written: unknown): Tariff {
  const mistake = check(written)
  if (mistake) throw new BadTariff(`document${mistake.where}`, `不符合格式：${mistake.what}`, mistake.what)
  return written as Tariff
}
