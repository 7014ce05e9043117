import { type Field, shaped, text, whole } from '../../../platform/contract/field.ts'

/** The code of a park: what lies in it is seen by whoever may see the park. */
export const parkCode = text('车场编号', 'Car park code', { max: 16 })
/** Where what belongs to no park is posted: a charge at a partner's station. */
export const PARK_OF_ALL = 'ALL'
/** Power as nameplates say it: kilowatts with one decimal. */
export const kilowatts = (zh: string, en: string): Field<number> =>
  shaped(`${zh}(kW)`, `${en} (kW)`, { type: 'number', minimum: 0.1, maximum: 2_000 })
/** Energy in whole watt hours: every bill is made of these. */
export const wattHours = (zh: string, en: string) => whole(zh, en, { min: 0, unit: 'watt-hour' })
/** A price per kWh in ten thousandths of a yuan. */
export const priceE4 = (zh: string, en: string) => whole(zh, en, { unit: 'yuan-e4/kWh', min: 0, max: 10_000_000 })
/** A time of day on a half hour: `00:00` to `24:00`. */
export const halfHour = (zh: string, en: string) => text(zh, en, { max: 5, pattern: '^(([01]\\d|2[0-3]):(00|30)|24:00)$' })
