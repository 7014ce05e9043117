import type { Call } from './call.ts'
import type { Facts } from './field.ts'

type Text = readonly [zh: string, en: string]

/** The days that a figure is of, both ends included, and the park where it is of one alone. */
export interface Within {
  from: string
  to: string
  parkCode?: string | undefined
}
/** The list that a figure opens, with its filter: it is the sum of a field there, or the number of rows. */
export interface Opens {
  path: string
  call: Call<any, any>
  filter: (within: Within) => Record<string, string | undefined>
  sums?: string
}
/** The definition of a figure, used by every place that explains it. */
export interface Meaning {
  counts: Text
  /** By which time a thing falls into the days asked for. */
  time: Text
  /** Of money that came in: whether what went back is still in it. */
  refunds?: Text
  /** Left out where no list has what is counted: power that flows, what would be paid now. */
  opens?: Opens | undefined
}
/** A figure whose list can be opened; most figures are of this kind. */
export interface Listed extends Meaning {
  opens: Opens
}
interface Named {
  name: Text
  /** Where figures of several kinds stand together, its kind stands before its name. */
  title: Text
}
export type Figure<M extends Meaning = Meaning> = M & Named

export const Refunds = {
  before: ['未扣退款', 'before refunds'],
  after: ['已扣退款', 'after refunds'],
} as const satisfies Record<string, Text>
export const NOW: Text = ['此刻', 'as of now']

type Declared<M> = { readonly [K in keyof M & string]: Figure<M[K] extends Listed ? Listed : Meaning> }
/**
 * Figures of one kind, each declared once: its name is that of its field, and tiles, charts, walls, sum rows and sheets take name, explanation and list from here.
 * Two figures that differ in what they count, or by which time, differ in their kind.
 */
export function figures<P extends Readonly<Record<string, Facts>>, const M extends { readonly [K in keyof P]?: Meaning }>(
  kind: Text | undefined,
  fields: P,
  meanings: M,
): Declared<M> {
  const named = Object.entries(meanings as Record<string, Meaning>).map(([field, meaning]) => {
    const { 'x-zh': zh, 'x-en': en } = fields[field]!
    const title: Text = kind ? [kind[0] + zh, `${kind[1]} ${en.toLowerCase()}`] : [zh, en]
    return [field, { ...meaning, name: [zh, en], title }]
  })
  return Object.fromEntries(named) as Declared<M>
}

const sentence = ({ counts, time, refunds }: Figure, at: 0 | 1) => [counts, time, ...(refunds ? [refunds] : [])].map((one) => one[at])
/** Explains a figure to its reader in one sentence. */
export const explained = (figure: Figure): Text => [`${sentence(figure, 0).join('；')}。`, `${sentence(figure, 1).join('; ')}.`]
