import { impliedColor, normalizePlate, plateColorOf, readsAsUnplated } from '../../../platform/contract/plate.ts'
import type { LaneEvent } from '../../device/server/api.ts'
import type { Seen } from './seen.ts'

/** The plate as a camera of the street read it, and how sure it is. */
export function plateIn({ plate, color, confidence }: LaneEvent): Pick<Seen, 'plateNo' | 'plateColor' | 'confidence'> {
  const text = normalizePlate(plate ?? '')
    .replace(NO_PLATE_CHARACTER, '')
    .slice(0, PLATE_MAX)
  if (readsAsUnplated(text)) return { plateNo: null, plateColor: null, confidence: null }
  return {
    plateNo: text,
    plateColor: plateColorOf(color) ?? impliedColor(text),
    confidence: confidence === undefined ? null : Math.round(Math.min(Math.max(confidence, 0), 1) * 1000),
  }
}
const NO_PLATE_CHARACTER = /[^\p{Script=Han}A-Z0-9]/gu
const PLATE_MAX = 16

/** The pictures that an event carries, by the references of their uploads. */
export function picturesIn({ image, body }: LaneEvent): string[] {
  const more = Array.isArray(body['images']) ? body['images'].filter((one): one is string => typeof one === 'string' && one !== '') : []
  return [...new Set([...(image ? [image] : []), ...more])].slice(0, PICTURES_MAX).map((one) => one.slice(0, ADDRESS_MAX))
}
const PICTURES_MAX = 10
const ADDRESS_MAX = 300
