import { listOf, shaped } from '../../../platform/contract/field.ts'
import { Place } from '../../system/contract/place.ts'

/** Parks that somebody may see. */
export const parkCodes = (zh: string, en: string) => shaped(zh, en, listOf(Place.properties.parkCode, { max: 2000 }))
