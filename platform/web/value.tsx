import { lazy, memo, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { type Attachment, type Dictionary, type Facts, type Fen, type Instant, partsOf, type Schema } from '../contract/field.ts'
import { isCovered } from '../contract/personal.ts'
import { impliedColor, isPlate, plateKind, readsAsUnplated } from '../contract/plate.ts'
import { instantAt, msOf } from '../contract/time.ts'
import { unitNamed } from '../contract/units.ts'
import { duration, kilowattHours, NONE, time, yuan } from './format.ts'
import { Attachments } from './file/Attachments.tsx'
import { RegionName, RegionNames } from './map/regions.tsx'
import { excerptOf, RichText } from './rich/RichText.tsx'
import { type Text, useText } from './text.ts'
import { toldWords, withUnit } from './toldWords.ts'
import { weekdaysIn } from './time/weekdaysIn.ts'

/** A field as the browser reads it: what a person reads about it, and the part of JSON Schema that forms need. */
export type Shape = Facts & {
  type: string | string[]
  format?: string
  minLength?: number
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  pattern?: string
  /** Blanks around it are cut. */
  'x-typed'?: true
  /** Of a list: what each of it is. */
  items?: Facts & { properties?: Record<string, Shape> }
  /** Of an object: what it is made of. */
  properties?: Record<string, Shape>
}
export const labelOf = (shape: Facts): Text => [shape['x-zh'], shape['x-en']]
export const shapesOf = (schema: Schema<any>) => partsOf<Shape>(schema)
/** The entity behind a list's call: a page says what its records are. */
export const recordsOf = (page: Schema<any>) => shapesOf(partsOf<{ items: Schema<any> }>(page)['records']!.items)
export const isOf = (shape: Shape, type: string) => [shape.type].flat().includes(type)
/** Numbers stand right; a dictionary's code is no number to a person. */
export const isNumber = (shape: Shape) => (isOf(shape, 'integer') || isOf(shape, 'number')) && !shape['x-dictionary']

/** The unit behind the box that a number is typed in. */
export const unitOf = (shape: Facts): Text | undefined => unitNamed(shape['x-unit']).sign

/** A field's value as it is drawn everywhere. `of` is the whole record: a plate takes its colour from there. A list of two hundred draws only those that changed. */
export const Value = memo(function Value({ shape, value, of }: { shape: Shape; value: unknown; of?: object | undefined }): ReactNode {
  const say = useText()
  if (value === null || value === undefined || value === '') return <span className="faint">{NONE}</span>
  if (shape['x-dictionary']) return <State dictionary={shape['x-dictionary']} value={value as number} />
  if (shape['x-unit'] === 'fen') return <Money fen={value as Fen} />
  if (shape['x-unit'] === 'minute') return <Duration minutes={value as number} />
  if (shape['x-plate']) return <Plate number={String(value)} color={(of as { plateColor?: number | null } | undefined)?.plateColor} />
  if (shape['x-region']) return <RegionName code={String(value)} />
  if (shape['x-attachments']) return <Attachments list={value as Attachment[]} />
  if (shape['x-rich']) return excerptOf(String(value))
  if (shape['x-image']) return <Pictures addresses={String(value)} />
  if (shape.format === 'date-time') return <Time at={value as Instant} />
  if (typeof value === 'boolean') return say(value ? ['是', 'Yes'] : ['否', 'No'])
  if (shape['x-unit'] === 'watt-hour') return `${kilowattHours(value as number)} kWh`
  if (shape['x-unit'] === 'weekdays') return say(weekdaysIn(value as number))
  if (typeof value === 'number') return say(withUnit(value, shape['x-unit']))
  if (Array.isArray(value) && shape.items?.['x-plate']) return <Plates numbers={value as string[]} />
  if (Array.isArray(value) && value.length > 0 && shape.items?.['x-region']) return <RegionNames codes={value as string[]} />
  const named = shape.items?.['x-dictionary']
  const nameOf = (code: number) => (named?.entries[code] ? say(named.entries[code]) : String(code))
  if (Array.isArray(value) && named && value.length > 0) return (value as number[]).map(nameOf).join(say(['、', ', ']))
  return toldWords(value, shape, say) || <span className="faint">{NONE}</span>
})

/** Where there is room for all of it: a detail, a form that is only read. */
export const WholeValue = ({ shape, value, of }: { shape: Shape; value?: unknown; of?: object | undefined }): ReactNode =>
  shape['x-rich'] ? <RichText html={value as string | null | undefined} /> : <Value shape={shape} value={value} of={of} />

/** Money of whole fen. Zero is written out and faint, so that a column's real amounts stand out. */
export const Money = ({ fen }: { fen: Fen | number | null | undefined }) =>
  fen === null || fen === undefined ? (
    <span className="faint">{NONE}</span>
  ) : (
    <span className={fen === 0 ? 'money faint' : 'money'}>
      {fen < 0 && '-'}
      <small>¥</small>
      {yuan(Math.abs(fen))}
    </span>
  )

/** `yyyy-MM-dd HH:mm:ss` of the city. */
export const Time = ({ at }: { at: Instant | string | null | undefined }) =>
  at ? <time dateTime={at}>{time(at)}</time> : <span className="faint">{NONE}</span>

/** The last second in which something is good that ends at a midnight: people read the day before. */
export const Until = ({ at }: { at: Instant | null | undefined }) => <Time at={at && instantAt(msOf(at) - 1_000)} />

/** Minutes as days, hours and minutes in the language of the page. */
export function Duration({ minutes }: { minutes: number | null | undefined }) {
  const say = useText()
  return <span className={minutes ? 'duration' : 'faint'}>{duration(minutes, say)}</span>
}

/** A mark with a shape as well as a colour, and a word. A dictionary without tones names kinds, not states: it is a plain word. */
export function State<S extends number>({ dictionary, value }: { dictionary: Dictionary<S>; value: S | null | undefined }) {
  const say = useText()
  if (value === null || value === undefined) return <span className="faint">{NONE}</span>
  const entry = dictionary.entries[value]
  if (!entry) return <>{value}</>
  const tones = Object.values<readonly unknown[]>(dictionary.entries).some(([, , tone]) => tone)
  return tones ? <span className={`state ${entry[2] ?? 'default'}`}>{say(entry)}</span> : <>{say(entry)}</>
}

/** A plate's ground, where it is drawn otherwise than as a plate. */
export const plateHue = (color: number | null): string | undefined => (color === null ? undefined : PLATE_HUES[color])
const PLATE_HUES: readonly string[] = ['#1d57b7', '#f4b41a', '#ffffff', '#16181b', '#58c67e', '#a9bf3f', '#9cc0f0']
/** By the codes of the dictionary `plate_color`; 7, and what is unknown of a form that is no plate's, are drawn without a colour of their own. */
const plateLooks = ['blue', 'yellow', 'white', 'black', 'green', 'yellow-green', 'blue-white'] as const
/** 无 begins the token of a car without a plate; it has no province. */
const HAN_AND_LETTER = /^([^无A-Z0-9][A-Z])(.+)$/u
/** The page of all that is known of a plate, a telephone or a number. */
export const KNOWN = '/known'
export const knownAddress = (words: string) => `${KNOWN}?words=${encodeURIComponent(words)}`

/** Colours as other records told them: a plate looks the same on a screen whose records tell none. */
const told = new Map<string, number>()
const TOLD_MOST = 2_000
const BLUE = 0
/**
 * Else by its form. An ordinary plate is nearly always blue, and drawn so wherever nobody said its colour: one car looks the same on every screen.
 * Of a plate that is covered nobody knows which it is.
 */
export function colorOf(number: string, color: number | null | undefined): number | undefined {
  // It carries none, whatever the camera took for its colour.
  if (plateKind(number) === 'unplated' || readsAsUnplated(number)) return undefined
  if (color === null || color === undefined) return told.get(number) ?? impliedColor(number) ?? (isPlate(number) ? BLUE : undefined)
  if (!isCovered(number)) {
    if (told.size >= TOLD_MOST) told.clear()
    told.set(number, color)
  }
  return color
}

/** A number plate in its true colours, the dot after the letter; it leads to all that is known of it. `still` draws it without the way. */
export function Plate({
  number,
  color,
  large,
  still,
}: {
  number: string | null | undefined
  color?: number | null | undefined
  large?: boolean
  still?: boolean
}) {
  const say = useText()
  if (!number) return <span className="faint">{NONE}</span>
  const look = `plate ${plateLooks[colorOf(number, color) ?? -1] ?? 'other'}${large ? ' large' : ''}`
  const [, place, rest] = HAN_AND_LETTER.exec(number) ?? []
  const drawn = place ? (
    <>
      {place}
      <i>·</i>
      {rest}
    </>
  ) : (
    number
  )
  // A camera's word for a plate that it did not read is nobody's.
  if (readsAsUnplated(number)) return <span className={look}>{say(UNREAD)}</span>
  // A plate that is covered is nobody's: nothing is found by it.
  if (still || isCovered(number)) return <span className={look}>{drawn}</span>
  return (
    <Link to={knownAddress(number)} className={look} onClick={(event) => event.stopPropagation()}>
      {drawn}
    </Link>
  )
}

const UNREAD: Text = ['无牌车', 'No plate']

/** Several of one owner: in a row of a list the first ones, and how many more there are. */
export function Plates({ numbers, most = numbers.length, still = false }: { numbers: readonly string[]; most?: number; still?: boolean }) {
  if (numbers.length === 0) return <span className="faint">{NONE}</span>
  return (
    <span className="plates">
      {numbers.slice(0, most).map((one) => (
        <Plate key={one} number={one} still={still} />
      ))}
      {numbers.length > most && <span className="faint">+{numbers.length - most}</span>}
    </span>
  )
}

const Gallery = lazy(() => import('./file/Gallery.tsx'))
/** An image value is a comma list of addresses. Small; a click enlarges. */
/** `most`: so many are drawn, the others are counted and turned to from them. */
export function Pictures({ addresses, height = 24, most }: { addresses: string | null | undefined; height?: number; most?: number }) {
  const list = imagesOf(addresses)
  if (list.length === 0) return <span className="faint">{NONE}</span>
  return (
    <Suspense fallback={null}>
      <Gallery addresses={list} height={height} most={most} />
    </Suspense>
  )
}
export const imagesOf = (addresses: string | null | undefined) =>
  (addresses ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
