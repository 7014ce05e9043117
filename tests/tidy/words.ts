import { globSync, readFileSync } from 'node:fs'
import type { Source } from '../../scripts/sources.ts'
import { isTest, lineAt, type Node, isNode, visit } from './rules.ts'

/** A text in both languages as it stands in the source; `…` is where something is put in. */
export interface Pair {
  at: string
  zh: Side
  en: Side
}
interface Side {
  text: string
  /** The inserted parts, as they are written: `count(of.bays)`, or the `plateNo` of a refusal's `{plateNo}`. */
  filled: string[]
}
/** One thing to say about a pair, or none. */
type WordRule = (pair: Pair) => string | undefined

const CHINESE = /[\u3400-\u9fff]/
const PRODUCT = /^(platform|domains|gateways|apps)\//
/** The page on which an engineer looks at every block of the console. */
const GALLERY = /\/web\/gallery\//

const read = new WeakMap<readonly Source[], Pair[]>()
export function pairsIn(sources: readonly Source[]): Pair[] {
  const known = read.get(sources)
  if (known) return known
  const pairs = sources.filter(({ file }) => PRODUCT.test(file) && !isTest(file) && !GALLERY.test(file)).flatMap(pairsOf)
  read.set(sources, pairs)
  return pairs
}

function pairsOf(source: Source): Pair[] {
  const found: Pair[] = []
  const look = (one: unknown, next: unknown) => {
    const [zh, en] = [sideOf(one, source.text), sideOf(next, source.text)]
    if (zh && en && CHINESE.test(zh.text) && !CHINESE.test(en.text))
      found.push({ at: `${source.file}:${lineAt(source.text, (one as Node).start)}`, zh, en })
  }
  visit(source, (node) => {
    const list = (node['elements'] ?? node['arguments']) as unknown[] | undefined
    if (Array.isArray(list)) list.forEach((one, index) => look(one, list[index + 1]))
    const named = (node['properties'] ?? []) as { key?: { name?: string }; value?: unknown }[]
    const valueOf = (name: string) => (Array.isArray(named) ? named.find(({ key }) => key?.name === name)?.value : undefined)
    look(valueOf('zh'), valueOf('en'))
  })
  return found
}

function sideOf(node: unknown, source: string): Side | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node['value'] === 'string') {
    const filled = [...node['value'].matchAll(/\{(\w+)(:[^}]*)?\}/g)].map(([, name]) => name!)
    return { text: node['value'], filled }
  }
  if (node.type !== 'TemplateLiteral') return undefined
  const filled = (node['expressions'] as Node[]).map(({ start, end }) => source.slice(start, end))
  return { text: (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…'), filled }
}

/** Counted things, in the words that would be wrong for one. A limit that is a constant is more than one. */
const COUNTED =
  /(?<!¥)(…|\{(?!most\b|max\b)\w+\}) (?:(?!no |or |with |in )[a-z-]+ ){0,2}?(days|hours|minutes|seconds|months|cars|vehicles|bays|berths|stays|rows|lines|records|fees|debts|orders|charges|sessions|stations|piles|connectors|devices|lamps|circuits|boxes|coupons|people|users|customers|passes|shifts|warnings|alarms|messages|files|pictures|items|entries|pages|regions|clauses|links|members|differences|transactions|tasks|bookings|reservations|conflicts|steps|times|characters|parks|drafts|exports|tries|digits)\b/g
const CONSTANT = /^(count\()?[A-Z][A-Z\d]*_[A-Z\d_]+(\[\w+\])?\)?$|^[A-Z]+\.length$/
export const countsAgree: WordRule = ({ en }) => {
  for (const { 0: words, 1: place, index } of en.text.matchAll(COUNTED)) {
    const filled = place === '…' ? en.filled[en.text.slice(0, index).split('…').length - 1] : undefined
    if (filled === undefined || !(CONSTANT.test(filled) || /^yuan\(|En$/.test(filled)))
      return `says "${words.trim()}" of one too: take plural(), or {count:car} in a refusal.`
  }
  return undefined
}

export const broken = (sources: readonly Source[], rule: WordRule): string[] =>
  pairsIn(sources).flatMap((pair) => {
    const said = rule(pair)
    return said ? [`${pair.at} “${pair.zh.text.slice(0, 40)} / ${pair.en.text.slice(0, 60)}” ${said}`] : []
  })

/** The names that a side inserts, without their language: `{what}` and `{whatEn}` are one thing. */
const named = ({ text, filled }: Side) =>
  text.includes('…') || text.includes('{{') ? [] : [...new Set(filled.map((name) => name.replace(/(Zh|En)$|^(zh|en)(?=[A-Z]|$)/, '')))].sort()
const digitsOf = ({ text }: Side) =>
  text
    .replaceAll(/\{[^}]*\}|,(?=\d{3})/g, '')
    .match(/\d+(\.\d+)?/g)
    ?.map(Number)
    .sort() ?? []
/** Chinese counts in words too: 1 万 is 10,000, 8 折 is 20% off. */
const IN_WORDS = /[一二三四五六七八九十百千万亿折成角分]/
/** Both sides tell the same things. English may say "once" for a digit, so only its own digits are looked for. */
export const sidesAgree: WordRule = ({ zh, en }) => {
  const [inZh, inEn] = [named(zh), named(en)]
  if (inZh.join() !== inEn.join()) return `puts in ${inZh.join(', ') || 'nothing'} and in English ${inEn.join(', ') || 'nothing'}.`
  const digits = digitsOf(zh)
  const lone = digitsOf(en).filter((digit) => !digits.includes(digit))
  return lone.length > 0 && digits.length > 0 && !IN_WORDS.test(zh.text) ? `has ${lone.join(', ')} in English alone.` : undefined
}

/** Texts and names of pages that are given as they are. */
const GIVEN = new Set(['密码长度不能小于9位', 'HTTP版本不受支持', 'ETC设备列表', 'ETC欠费', 'ETC地图', 'ETC退款', '路内停车GIS'])
const SIGNS: [RegExp, string][] = [
  [/[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff]/, 'has no space between Chinese and letters or digits'],
  [/[“”]/, 'has “”: names stand in 「」'],
  [/[\u3400-\u9fff]\(/, 'has half brackets: take （）'],
  [/ - /, 'has a hyphen for a minus: take −'],
]
export const chineseIsSet: WordRule = ({ zh: { text } }) => {
  if (GIVEN.has(text)) return undefined
  const plain = text.replaceAll(/<[^>]*>/g, '|').replaceAll(/[\u4e00-\u9fff][A-Z][A-Z0-9·]{4,}/g, '|')
  const wrong = SIGNS.find(([sign]) => sign.test(plain))
  return wrong && `${wrong[1]}.`
}

/** Screens that are called as things are: a car stands on a black list, and in a charging station. */
const THINGS = new Set(['列表', '首页', '总账', '黑名单', '充电站', '费用核对', '共享车位', '目录服务'])
/** A text that sends its reader to a screen names it as the menu does, in 「」 and in “”. */
export function screensQuoted(screens: readonly (readonly [zh: string, en: string])[]): WordRule {
  const named = screens.filter(([name]) => !THINGS.has(name))
  const anyOf = (side: 0 | 1) =>
    [...new Set(named.map((name) => name[side]))]
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('|')
  const [sentTo, zhNames, enNames] = ['(?:到|在|去|见|打开|进入|前往)', anyOf(0), anyOf(1)]
  const bareZh = new RegExp(`${sentTo}(?:${zhNames})|(?<!「)(?:${zhNames})(?:页|里)`)
  const quoted = new RegExp(`(?<=${sentTo}|或|的)「(${zhNames})」|「(${zhNames})」(?=中|里|页|的)`, 'g')
  const bareEn = new RegExp(String.raw`\b(?:[Uu]nder|[Ii]n|[Oo]n|[Ss]ee|[Oo]pen|[Tt]o|[Ff]rom|[Aa]t|[Ii]nto) (?:the )?(?:${enNames})(?![\w-])`)
  return ({ zh, en }) => {
    const bare = bareZh.exec(zh.text) ?? bareEn.exec(en.text)
    if (bare) return `says "${bare[0]}" without marks: the name of a screen stands in 「」 and in “”.`
    const lacking = [...zh.text.matchAll(quoted)]
      .map(([, one, other]) => one ?? other!)
      .find((name) => !named.some(([its, english]) => its === name && en.text.includes(`“${english}”`)))
    return lacking && `names 「${lacking}」, and in English not “${named.find(([name]) => name === lacking)![1]}”.`
  }
}

/** A length of time is said by `lasting` of `platform/contract/duration.ts`. A tariff counts in the minutes that its rule was typed in. */
const MADE_AT_HOME = /(…|\{\w+\}) ?(分|秒)|(…|\{\w+\}) ?(天|小时) ?(…|\{\w+\})/
const TARIFFS = /^domains\/fee\//
const IN_TIME = /\b(min|minutes?|s|sec|seconds?|h|hours?)\b/
export const lengthsAreOne: WordRule = ({ at, zh, en }) => {
  const found = TARIFFS.test(at) || !IN_TIME.test(en.text) ? null : MADE_AT_HOME.exec(zh.text)
  return found ? `makes "${found[0]}" by itself: a length of time is said by lasting().` : undefined
}

/** Words that another one stands for: `docs/glossary.md` has the one. */
const INSTEAD: [RegExp, string][] = [
  [/\bpurses?\b/i, 'wallet'],
  [/\bappointments?\b/i, 'reservation'],
  [/\bkinds? of pass(es)?\b/i, 'pass type'],
  [/\bgiv(e|en|ing)[- ]back\b.*\bpass\b|\bpass\b.*\bgiven back\b/i, 'cancel'],
  [/\boccupancy fees?\b/i, 'idle fee'],
  [/\btelephones?\b/i, 'phone'],
  [/\bhidden dangers?\b/i, 'safety hazard'],
  [/\bset (aside|apart)\b/i, 'on hold'],
  [/\bover\/short\b|\ban over\b/i, 'surplus or shortage'],
  [/\bcapabilit(y|ies)\b/i, 'permission'],
  [/(?<!\bstock )\bmovements?\b/i, 'transaction'],
]
/** Words of column heads and names of lists: type and status there, whatever a sentence says. */
const LABELS: [RegExp, string][] = [
  [/^kinds?\b|\bkinds?$/i, 'type'],
  [/^state$|^state of (?!charge)/i, 'status'],
  [/^rights\b/i, 'permissions'],
]
/** Words of texts; engineers' pages, which name tests and code, say charge and erase as well. */
const TEXTS: [RegExp, string][] = [
  [
    /\b(an?|the|this|each|every|one|another|no|such|open|new|next|first|past|running|roaming|ended|unpaid) charges?\b(?! (sequence|point)\b)/i,
    'charging session, or fee',
  ],
  [/^charges\b|\bcharging (orders?|records?)\b/i, 'charging session'],
  [/\beras(e[sd]?|ing)\b/i, 'delete'],
]
const IN_CHINESE: [RegExp, string][] = [
  [/充电(使用订单|交易|记录)/, '充电订单'],
  [/卡.*注销|注销.*卡/, '停卡: 注销 is of accounts'],
]
const insteadIn = (text: string, words: [RegExp, string][]) => {
  const found = words.find(([word]) => word.test(text))
  return found && `says "${found[0].exec(text)![0]}": the word is ${found[1]}.`
}
export const oneWord: WordRule = ({ zh, en: { text } }) =>
  insteadIn(text.replaceAll(/\{\w+\}/g, '…'), [...INSTEAD, ...LABELS, ...TEXTS]) ?? insteadIn(zh.text, IN_CHINESE)

/** A machine's 告警 (of a terminal JT/T 808 says 报警) is an alarm, a rule's 预警 a warning. */
export const alarmsAndWarnings: WordRule = ({ zh, en }) => {
  const [alarm, warning] = [/告警|报警/.test(zh.text), /预警/.test(zh.text)]
  if (alarm && !warning && /\bwarn(s|ed|ings?)?\b/i.test(en.text)) return 'warns of 告警: the word is alarm, or 预警 in Chinese.'
  if (warning && !alarm && /(?<!\bfalse )\balarms?\b/i.test(en.text)) return 'says alarm of 预警: the word is warning, or 告警 in Chinese.'
  return undefined
}

/** Pages that engineers and operators read. Decisions are history and stay as they were written. */
const PROSE = 'README.md CONTRIBUTING.md docs/*.md bench/*.md domains/*/README.md gateways/*/README.md platform/**/*.md'
/** Written by programs. */
const WRITTEN = /^docs\/(assurance|features)\.md$/
export const prosePages = (): { file: string; text: string }[] =>
  PROSE.split(' ')
    .flatMap((place) => globSync(place))
    .filter((file) => !WRITTEN.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
/** By the same words as the texts of the product. What stands in code marks is code. */
export const prosesWords = (pages: readonly { file: string; text: string }[]): string[] =>
  pages.flatMap(({ file, text }) =>
    text
      .replaceAll(/```.*?```/gs, (code) => code.replaceAll(/[^\n]/g, ' '))
      .split('\n')
      .flatMap((line, at) => {
        const said = insteadIn(line.replaceAll(/`[^`]*`/g, ''), INSTEAD)
        return said ? [`${file}:${at + 1} ${said}`] : []
      }),
  )
