import type { Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { FreeReason } from '../../fee/contract/quote.ts'
import { CarKind, type CarKindCode } from '../../parking/contract/stay.ts'
import type { AnyStay } from '../../parking/server/api.ts'
import { ChargeType } from '../contract/berth.ts'
import type { Place } from './place.ts'
import { kindAt } from './visit.ts'

interface Words {
  zh: string
  en: string
}
const BY_KIND: Partial<Record<CarKindCode, Words>> = {
  [CarKind.special]: { zh: '特种车免费', en: 'Special vehicle, free' },
  [CarKind.free]: { zh: '白名单免费', en: 'On the white list, free' },
}
/** Why a car pays nothing at its berth, whatever the rule says. */
export async function freeBecause(tx: Tx, { chargeType }: Place, stay: AnyStay, at: Instant): Promise<Words | undefined> {
  if (chargeType === ChargeType.free) return { zh: '免费泊位', en: 'Free berth' }
  return BY_KIND[await kindAt(tx, stay, at)]
}
/** The same in the words of its bill: also where the rule itself comes to nothing, because all of the time was paid for otherwise. */
export async function freeInWords(tx: Tx, place: Place, stay: AnyStay, quote: { freeReason: number | null } | null | undefined, at: Instant) {
  const because = await freeBecause(tx, place, stay, at)
  if (because || quote?.freeReason !== FreeReason.covered) return because
  if ((await kindAt(tx, stay, at)) === CarKind.pass) return { zh: '月卡有效，免费', en: 'Covered by a pass, free' }
  const [zh, en] = FreeReason.entries[FreeReason.covered]
  return { zh, en }
}
