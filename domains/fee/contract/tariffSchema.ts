import { Unsafe } from 'typebox'
import type { Schema } from '../../../platform/contract/field.ts'
import type { Tariff } from './tariff.ts'

/** `Tariff` as a JSON Schema, for documents that come from outside. Faults that it cannot express (bands that overlap, tiers that fall) the lint finds. */

const object = (needed: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  properties: { ...needed, ...optional },
  required: Object.keys(needed),
  additionalProperties: false,
})
const one = (...values: (string | number | null)[]) => ({ enum: values })
const list = (items: object, maxItems: number, minItems = 0) => ({ type: 'array', items, maxItems, minItems })
const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum })

/** In 0.0001 of the unit: ten million, so that a stay of years stays within whole numbers. */
const MONEY_MAX = 100_000_000_000
const YEAR_MINUTES = 527_040
const rate = { anyOf: [whole(0, MONEY_MAX), { type: 'array', items: whole(0, MONEY_MAX), minItems: 2, maxItems: 2 }] }
const fraction = { type: 'array', items: whole(1, 1_000_000), minItems: 2, maxItems: 2 }
const minutes = whole(1, YEAR_MINUTES)
const date = { type: 'string', format: 'date' }

const days = { anyOf: [object({ mask: whole(1, 7) }), object({ weekdays: list(whole(1, 7), 7, 1) }), object({ dates: list(date, 400, 1) })] }
const tier = object({ toMin: { anyOf: [minutes, { type: 'null' }] }, unitMin: minutes, priceE4: rate })
const price = {
  anyOf: [
    object({ by: one('free') }),
    object({ by: one('visit'), priceE4: rate }),
    object({ by: one('unit'), unitMin: minutes, priceE4: rate, edge: one('carry', 'cut') }, { first: object({ min: minutes, priceE4: rate }) }),
    object({ by: one('tiers'), tiers: list(tier, 100, 1), rounding: one('ceil', 'floor', 'exact') }),
  ],
}
const name = { type: 'string', minLength: 1, maxLength: 64 }
const band = object({ fromMin: whole(0, 1440), toMin: whole(0, 1440), days, price }, { name, capE4: rate })
const dayBand = object({ fromMin: whole(0, 1440), toMin: whole(0, 1440), price }, { name, capE4: rate })
/** Kinds of day, weekdays and some festivals of their own. */
const DAY_RULES_MAX = 20
const dayRule = object({ days, bands: list(dayBand, 40, 1) }, { name, capE4: rate })

export const TariffSchema: Schema<Tariff> = Unsafe<Tariff>(
  object(
    {
      schema: one(1),
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      seconds: one('count', 'drop', 'up'),
      bands: list(band, 200),
      clock: one('segment', 'cycle', 'stay'),
    },
    {
      free: object({ minutes: whole(0, 44_640), inclusive: { type: 'boolean' }, mode: one('grace', 'deduct') }, { timesPerDay: whole(0, 100) }),
      cycle: object(
        { kind: one('natural', 'rolling', 'cut'), capsE4: list(rate, 400), edge: one('restart', 'goOn') },
        { cutMin: whole(0, 1439), once: { type: 'boolean' } },
      ),
      days: list(dayRule, DAY_RULES_MAX, 1),
      wholeDayE4: rate,
      stayCapE4: rate,
      table: list(object({ toMin: minutes, priceE4: rate }), 1000, 1),
      factor: fraction,
      round: one('halfUpUnit', 'downCent'),
    },
  ),
)
