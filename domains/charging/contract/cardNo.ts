import { text } from '../../../platform/contract/field.ts'

/** A card's number as a person types or copies it: readers show it with marks between its bytes, in small letters, or with 0x before it. */
export const typedCard = text('卡号', 'Card number', { max: 40, pattern: '^[ :-]*[0-9A-Za-z][0-9A-Za-z :-]*$' })
/** The one form of a card's number: capitals and digits alone. `charging.card_key` says the same of what a pile reads. */
export const plainCard = (typed: string): string =>
  typed
    .replaceAll(/[\s:-]/g, '')
    .replace(/^0x(?=.)/i, '')
    .toUpperCase()
export const CARD_MAX = 20
