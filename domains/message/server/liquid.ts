import { Liquid, type Template as Part } from 'liquidjs'
import { refusal } from '../../../platform/server/refusal.ts'
import { NAME_VAR } from '../contract/template.ts'

export const BadTemplate = refusal('message.bad-template', 40306, '模板无法使用：{zh}', 'The template cannot be used: {en}', 422)
export const MissingVar = refusal('message.missing-variable', 40307, '缺少变量：{names}；请补全', 'Missing variables: {names}. Fill them in', 422)
export const BreaksHeader = refusal(
  'message.line-break',
  40308,
  '标题不能含换行，请写成一行',
  'A title must not contain line breaks: put it on one line',
  422,
)

/** A message is short; a template that takes longer or grows larger is an attack. */
const RENDER_MS = 1_000
const RENDER_UNITS = 200_000
const PARSE_CHARS = 10_000
const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: PARSE_CHARS,
  renderLimit: RENDER_MS,
  memoryLimit: RENDER_UNITS,
})
/** The only thing that a template may do is name a variable. */
const PLACE = /^\{\{-?\s*([a-zA-Z][a-zA-Z0-9_]{0,31})\s*-?\}\}$/

/** The variables that a text names. @throws BadTemplate for tags, filters, paths and whatever else is more than a name */
export function variablesIn(text: string): string[] {
  const names = new Set<string>()
  for (const part of parsed(text)) {
    const { token } = part as Part & { token: { kind: number; getText(): string } }
    const raw = token.getText()
    if (!raw.startsWith('{{') && !raw.startsWith('{%')) continue
    const name = PLACE.exec(raw)?.[1]
    if (!name) throw BadTemplate({ zh: `只能写 {{变量}}，不能写 ${raw.slice(0, 40)}`, en: `only {{variables}} are allowed, not ${raw.slice(0, 40)}` })
    names.add(name)
  }
  return [...names]
}

function parsed(text: string): Part[] {
  try {
    return engine.parse(text)
  } catch (error) {
    const said = (error as Error).message.split('\n')[0]!.slice(0, 120)
    throw BadTemplate({ zh: said, en: said })
  }
}

export interface Texts {
  title: string
  titleEn: string
  content: string
  contentEn: string
}
/** Every variable of a text must be declared; the recipient's name always is. @throws BadTemplate */
export function checkTexts(texts: Texts, declared: readonly { name: string }[]): void {
  const known = new Set([NAME_VAR, ...declared.map(({ name }) => name)])
  if (declared.length !== new Set(declared.map(({ name }) => name)).size) throw BadTemplate({ zh: '变量重名', en: 'a variable is declared twice' })
  const unknown = usedIn(texts).filter((name) => !known.has(name))
  if (unknown.length > 0) throw BadTemplate({ zh: `未声明变量 ${unknown.join('、')}`, en: `undeclared variables ${unknown.join(', ')}` })
}
export const usedIn = (texts: Texts): string[] => [...new Set([texts.title, texts.titleEn, texts.content, texts.contentEn].flatMap(variablesIn))]

/** Refuses a call that gives no value for a variable, before anything is sent. @throws MissingVar */
export function refuseMissing(texts: Texts, values: Record<string, string>): void {
  const missing = usedIn(texts).filter((name) => name !== NAME_VAR && !Object.hasOwn(values, name))
  if (missing.length > 0) throw MissingVar({ names: missing.join(', ') })
}

/** @throws BadTemplate for what would take too long or grow too large */
function fill(text: string, values: Record<string, string>): string {
  if (!text.includes('{{')) return text
  try {
    return engine.renderSync(parsed(text), values) as string
  } catch (error) {
    const said = (error as Error).message.split('\n')[0]!.slice(0, 120)
    throw BadTemplate({ zh: said, en: said })
  }
}

/** The texts with their values; English that is not there is the Chinese. @throws MissingVar, BreaksHeader */
export function filled(texts: Texts, values: Record<string, string>): Texts {
  refuseMissing(texts, values)
  const title = fill(texts.title, values)
  const titleEn = fill(texts.titleEn, values) || title
  if (/[\r\n]/.test(title + titleEn)) throw BreaksHeader()
  const content = fill(texts.content, values)
  return { title, titleEn, content, contentEn: fill(texts.contentEn, values) || content }
}
