import { parseSync } from 'vite'
import type { Source } from '../../scripts/sources.ts'

/** A rule over the source: the sentences of what breaks it, each with its place and what to do. */
export type Rule = (sources: readonly Source[]) => string[]

export const isTest = (file: string) => /(\.test\.tsx?|\/(testing|factory)\.ts)$|^tests\//.test(file)
export const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Every node of a file with those above it, outermost first. */
export function visit({ file, text }: Source, see: (node: Node, above: readonly Node[]) => void) {
  const walk = (node: Node, above: readonly Node[]) => {
    see(node, above)
    const within = [...above, node]
    for (const value of Object.values(node)) for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, within)
  }
  walk(parseSync(file, text).program as unknown as Node, [])
}

/** A class has its styles in one file. In two, how a page looks depends on which other pages were opened before it. */
export const stylesAtHome: Rule = (sheets) => {
  const homes = new Map<string, Set<string>>()
  for (const { file, text } of sheets)
    for (const [, name] of text.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/(?:^|[{},])\s*[a-z]*\.([a-z][\w-]*)(?=[^{};]*\{)/g))
      if (!name!.startsWith('ant-')) homes.set(name!, (homes.get(name!) ?? new Set()).add(file))
  return [...homes].flatMap(([name, files]) =>
    files.size > 1 ? `.${name} has styles in ${[...files].join(' and ')}: give one of them a name of its own.` : [],
  )
}

/** Fits a screen. A test's `describe` is a chapter, not a function. */
const FUNCTION_LINES = 70
/** `file | functions of more lines`: those that are left only grow fewer. */
export const shortFunctions =
  (left: ReadonlyMap<string, number>): Rule =>
  (sources) =>
    sources
      .filter(({ file }) => !isTest(file))
      .flatMap((source) => {
        const [found, said] = [longFunctions(source), left.get(source.file) ?? 0]
        if (found.length === said) return []
        return found.length > said
          ? found
          : [`${source.file} has ${found.length} long functions, tests/tidy/long-functions.txt says ${said}: lower the number.`]
      })
function longFunctions(source: Source): string[] {
  const found: string[] = []
  visit(source, (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    const [first, last] = [lineAt(source.text, node.start), lineAt(source.text, node.end)]
    if (last - first + 1 > FUNCTION_LINES)
      found.push(`${source.file}:${first} is a function of ${last - first + 1} lines: cut it where a step has a name (at most ${FUNCTION_LINES}).`)
  })
  return found
}

/** A line that is kept from the formatter makes a function look as if it fitted. */
export const formatterStaysOn: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => !file.startsWith('tests/tidy/')),
    /prettier-ignore/g,
    () => 'is kept from the formatter: let it write the lines, and cut the function where a step has a name.',
  )

const FILE_LINES = 600
export const shortFiles: Rule = (sources) =>
  sources
    .map(({ file, text }) => ({ file, lines: text.split('\n').length }))
    .filter(({ lines }) => lines > FILE_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines: split it by noun (at most ${FILE_LINES}).`)

const FOLDER_FILES = 40
/** A folder of very many files says nothing of any of them. Tests are not counted, and contracts lie flat because others read them; those still to be cut stand in tests/tidy/full-folders.txt. */
export const smallFolders =
  (left: ReadonlyMap<string, number>): Rule =>
  (sources) => {
    const files = Map.groupBy(
      sources.filter(({ file }) => !isTest(file) && !/^(tests|scripts)\/|\/contract\//.test(file)),
      ({ file }) => file.slice(0, file.lastIndexOf('/')),
    )
    return [...new Set([...files.keys(), ...left.keys()])].flatMap((folder) => {
      const [now, most] = [files.get(folder)?.length ?? 0, left.get(folder) ?? FOLDER_FILES]
      if (now > most) return `${folder} has ${now} files: put those of one subject into a folder of their own (at most ${most}, better thirty).`
      return left.has(folder) && now < most
        ? `${folder} has ${now} files, tests/tidy/full-folders.txt says ${most}: lower the number, or take the line out at ${FOLDER_FILES}.`
        : []
    })
  }

/** A filter that acts is named by the choice it was made with; antd's own box can only be drawn. */
export const namedChoices: Rule = (sources) =>
  sources
    .filter(({ file, text }) => file.startsWith('domains/') && /^import \{[^}]*\b(Tree)?Select\b[^}]*\} from 'antd'/m.test(text))
    .map(({ file }) => `${file} takes its choice from antd: take Select and TreeSelect from platform/web, which can also say what was chosen.`)

/** Text that people wrote wraps on a telephone; a figure beside its name does not break. */
export const writtenWordsWrap: Rule = (sources) =>
  sources
    .filter(({ file }) => file.startsWith('apps/driver/mine/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\brow\(say\(\[[^\]]*\]\), \w*([nN]ames?|[rR]eason|opinion|remark|assets)\b/g)].map(
        ({ index }) => `${file}:${lineAt(text, index)} draws written words in a row of figures: use \`sentence\` of parts.ts.`,
      ),
    )

/** The page's policy takes no style that a script writes as an attribute, and so antd measures a field that grows, and marks a page. */
export const noWrittenStyles: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => file.endsWith('.tsx') && !isTest(file)),
    /\bautoSize\b|\bimport \{[^}]*\bWatermark\b[^}]*\} from 'antd'/g,
    () => 'is refused by the page’s policy: give a field its rows, and take Watermark from platform/web.',
  )

/** A form for an amount shows the amount on its button: nobody confirms a sum that they do not read. */
export const sumsOnButtons: Rule = (sources) =>
  sources.flatMap((source) => {
    const found: string[] = []
    visit(source, (node) => {
      if (node.type !== 'JSXOpeningElement' || (node.name as { name?: string }).name !== 'FormDialog') return
      const written = (name: string) => {
        const one = (node.attributes as (Node & { name?: { name?: string } })[]).find((attribute) => attribute.name?.name === name)
        return one ? source.text.slice(one.start, one.end) : ''
      }
      if (/'(amountFen|payFen|paidFen)'/.test(written('fields')) && !/¥|amountFen|payFen|Amount|cash/.test(written('act')))
        found.push(
          `${source.file}:${lineAt(source.text, node.start)} takes an amount: let \`act\` say it, as in domains/merchant/web/api/CreditDialogs.tsx.`,
        )
    })
    return found
  })

/** Programs: started by name, imported by nobody; and what each domain hands to the matrix, found by the domain's name. */
const PROGRAMS =
  /^((vite|vite\.(driver|merchant)|vitest)\.config\.ts|apps\/server\/main\.ts|apps\/web\/(main|shell)\.tsx?|apps\/(driver|merchant)\/((mine|rate|repair)\/)?main\.ts|scripts\/\w+\.ts|bench\/.+\.ts|platform\/server\/sheets\/child\.ts|city\/(\w+\/)?main\.ts|tests\/support\/global\.ts|tests\/ready\/[a-z-]+\.ts)$|\.d\.ts$|\.test\.tsx?$|\.soak\.ts$/
export const importedFiles =
  (programs: readonly string[]): Rule =>
  (sources) => {
    const used = new Set(sources.flatMap(({ imports }) => imports.map(({ to }) => to)))
    // A process of its own is started by its path.
    const isStarted = (file: string) => sources.some(({ text }) => text.includes(`'${file}'`))
    return sources
      .filter(({ file }) => !used.has(file) && !PROGRAMS.test(file) && !programs.includes(file) && !isStarted(file))
      .map(({ file }) => `${file} is imported by nobody: use it or delete it.`)
  }

export const noBarrels: Rule = (sources) =>
  sources
    .filter(
      ({ file, text }) =>
        /(^|\/)index\.tsx?$/.test(file) ||
        (text.trim() !== '' && text.split('\n').every((line) => /^\s*($|\/\/|export (type )?(\*|\{[^}]*\}) from )/.test(line))),
    )
    .map(({ file }) => `${file} only hands on other files: let its readers import what they mean.`)

export const nothingSkipped: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => isTest(file) && !file.startsWith('tests/tidy/')),
    /\b(describe|test|it)\.(skip|skipIf|runIf|only|todo|fails)\b/g,
    (found) => `has ${found}: a test runs or is deleted.`,
  )

export const nothingLeftOver: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => !file.startsWith('tests/tidy/')),
    /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|\bdebugger\b/g,
    (found) => `has ${found}: do it now or leave it out.`,
  )

/** Words of the place where this was written, which mean nothing to whoever reads it. */
const WORKPLACE =
  /(?<!\/api)\/work\/|\/tmp\/kb-|\/root\/|session[_ ]\d|issue #?\d+|\bregistry\.npm|npmmirror|artifactory|claude|anthropic|chatgpt|copilot|\bLLM\b|prototypes\/|\bPLAN\.md/gi
export const ourOwnWords: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => !file.startsWith('tests/tidy/')),
    WORKPLACE,
    (found) => `says "${found}": a reader of the product does not know that place.`,
  )

/** `as any` switches the compiler off. Where a library's types are wrong, platform says so once. */
export const typesHold: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => !file.startsWith('platform/') && !isTest(file)),
    /\bas any\b|<any>|: any\b(?!\[\])/g,
    (found) => `has "${found}": name the type, or take unknown and look.`,
  )

/** Of rows that nobody deletes: a share that a foreign key takes never stands in the way. `CONTRIBUTING.md` says in which ring it would. */
const KEPT_WHOLE = /\bfrom (settlement\.(order|payment)|parking\.stay|owner\.purse|arrears\.record|member\.customer)\b[^`']*\bfor update\b/g
export const moneyHeldLightly: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => !isTest(file)),
    KEPT_WHOLE,
    (found) => `holds ${found.split(' ')[1]} "for update": take "for no key update".`,
  )

/** Forms know when their input would be lost: a form of a call is a `FormDialog`, and one with fields of its own a `Dialog`. */
const FIELDS = /\b(Input|InputNumber|Select|TreeSelect|Cascader|Radio|Checkbox|Switch|DatePicker|Upload|Transfer|Slider|Tree)\b/
export const guardedDialogs: Rule = (sources) =>
  sources.flatMap(({ file, text }) => {
    const names = /import \{([^}]*)\} from 'antd'/.exec(text)?.[1] ?? ''
    const isOpen = /^(domains\/[\w-]+|apps|platform)\/web\//.test(file) && /\bModal\b/.test(names)
    const fills = FIELDS.test(names) || /from '[^']*\/(inputs|Upload|PlateInput)\.tsx'/.test(text)
    return isOpen && fills && !/\/(Dialog|FormDialogBody)\.tsx$/.test(file)
      ? [`${file} fills in a Modal: take FormDialog, or Dialog of platform/web, which ask before what was typed is lost.`]
      : []
  })

/** A page is opened by its menu entry, and nobody is offered an entry without its permissions. Parts of a page may still ask for more. */
export const guardedByTheMenu: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => /^domains\/[\w-]+\/web\/(\w+\/)?\w+Screen\.tsx$/.test(file)),
    /return .*<NoPermission \/>/g,
    (found) => `says "${found}": what the page needs stands in its entry of contract/menu.ts, once.`,
  )

/** Rows that could not be fetched are not none: `Loaded` draws a table once its rows are there, and says why where they are not. */
export const emptyMeansNone: Rule = (sources) =>
  matches(
    sources.filter(({ file }) => file.endsWith('.tsx')),
    /dataSource=\{[^}]*\?\? \[\]/g,
    (found) => `says "${found}": an error would look like an empty list; draw the table inside Loaded.`,
  )

/** A cast through `never` or `unknown`: those that are left stand in tests/tidy/casts.txt, of a server or a contract by their file, of the web all together. */
export const castsOnlyFall =
  (left: ReadonlyMap<string, number>): Rule =>
  (sources) => {
    const found = new Map<string, number>()
    for (const { file, text } of sources) {
      const casts = text.match(/\bas (never|unknown as)\b/g)?.length ?? 0
      const place = /^(domains\/[\w-]+|platform|apps)\/web\//.test(file) ? 'web' : file
      if (casts > 0 && /^(domains|platform|gateways|apps)\//.test(file) && !isTest(file)) found.set(place, (found.get(place) ?? 0) + casts)
    }
    return [...new Set([...found.keys(), ...left.keys()])].flatMap((place) => {
      const [now, said] = [found.get(place) ?? 0, left.get(place) ?? 0]
      if (now === said) return []
      return `${place} has ${now} casts through never or unknown, tests/tidy/casts.txt says ${said}: ${now > said ? 'give the type its name' : 'lower the number'}.`
    })
  }

function matches(sources: readonly Source[], pattern: RegExp, sentence: (found: string) => string): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => `${file}:${lineAt(text, index)} ${sentence(found)}`),
  )
}

const CHINESE = /[\u4e00-\u9fff]/
/** Words of two letters or more: a plate or a single sign is no text. */
const ENGLISH = /[A-Za-z]{2,}/

/** Contracts and pages. A server's refusals are pairs by their type; what it stores or a lane's sign shows is in the city's language. */
const READ_BY_PEOPLE = /^(platform|domains\/\w[\w-]*|apps)\/(contract|web)\//
/** Files whose Chinese characters are signs on things or of units, in every language. */
const LETTERS = new Set(['platform/contract/plate.ts', 'platform/contract/duration.ts'])

/**
 * A Chinese text that people read stands beside its English one: the next element of a list, the next argument of a call, the sibling property `en`, or the second
 * half of the same line.
 */
export const wholePairs: Rule = (sources) =>
  sources
    .filter(({ file }) => READ_BY_PEOPLE.test(file) && !isTest(file) && !LETTERS.has(file))
    .flatMap((source) => {
      const found: string[] = []
      visit(source, (node, above) => {
        const text = textOf(node, source.text)
        if (text === undefined || !isSentence(text) || ENGLISH.test(text) || isComment(above) || hasPartner(node, above, source.text)) return
        found.push(
          `${source.file}:${lineAt(source.text, node.start)} "${text.slice(0, 30)}" has no English beside it: write the pair ['中文', 'English'].`,
        )
      })
      return found
    })

/** Server code for people: gateways write rows too. Texts typed by a test or a demo are a person's. */
const WRITES_ROWS = /^(domains\/[\w-]+\/server|gateways)\//
/** `file | Chinese texts without an English one beside them | why they stay`: content, signs of machines, words of other people's files. */
export const saidInBoth =
  (excused: ReadonlyMap<string, number>): Rule =>
  (sources) => {
    const written = sources.filter(({ file }) => WRITES_ROWS.test(file) && !isTest(file))
    return written.flatMap((source) => {
      const found: string[] = []
      visit(source, (node, above) => {
        const text = textOf(node, source.text)
        if (text === undefined || !isSentence(text) || isComment(above) || (!STATEMENT.test(text) && isPaired(node, above, source.text))) return
        found.push(`${source.file}:${lineAt(source.text, node.start)} "${text.slice(0, 30)}"`)
      })
      const [now, said] = [found.length, excused.get(source.file) ?? 0]
      if (now === said) return []
      return now > said
        ? found.map((one) => `${one} has no English beside it: declare it with \`sentences\` in the contract's said.ts, or write it as a pair.`)
        : [`${source.file} has ${now} Chinese texts without an English one, tests/tidy/chinese.txt says ${said}: lower the number.`]
    })
  }
/** SQL is in English whatever it writes. */
const STATEMENT = /\b(select|insert into|update|delete from)\s/i
/** The English text is the next element, the next argument, the other side of a choice by language, or the sibling of a property called `zh`. A name of a closed list (`Metric.disk`) is no text. */
function isPaired(node: Node, above: readonly Node[], source: string): boolean {
  const said = (one: Node | undefined) => (one === undefined ? '' : source.slice(one.start, one.end))
  const isEnglish = (one: Node | undefined) => /['"`]|^[a-z]\w*[.(]/.test(said(one)) && ENGLISH.test(said(one)) && !CHINESE.test(said(one))
  let child = node
  for (const parent of above.toReversed()) {
    const list = (parent['elements'] ?? parent['arguments']) as Node[] | undefined
    if (list?.includes(child)) return isEnglish(list[list.indexOf(child) + 1])
    if (parent.type === 'Property' || parent.type === 'VariableDeclarator') {
      const name = said((parent['key'] ?? parent['id']) as Node)
      const beside = (above[above.indexOf(parent) - 1]?.['properties'] ?? []) as Node[]
      return /^zh|Zh$/.test(name) || beside.some((one) => said(one['key'] as Node | undefined) === `${name}En`)
    }
    if (parent.type !== 'ConditionalExpression' && parent.type !== 'LogicalExpression' && parent.type !== 'TemplateLiteral') return false
    if (parent.type === 'ConditionalExpression' && [parent['consequent'], parent['alternate']].some((one) => one !== child && isEnglish(one as Node)))
      return true
    child = parent
  }
  return false
}

function textOf(node: Node, source: string): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1).replace(/\$\{[^}]*\}/g, '')
  if (node.type === 'JSXText') return source.slice(node.start, node.end)
  return undefined
}
/** Two Chinese characters that mean something: not the letters of plates, not the signs of a money or a time. */
const isSentence = (text: string) => (text.match(/[\u4e00-\u9fff]/g)?.length ?? 0) >= 2
const isComment = (above: readonly Node[]) => above.some(({ type }) => type === 'ImportDeclaration' || type === 'TSLiteralType')

function hasPartner(node: Node, above: readonly Node[], source: string): boolean {
  for (let depth = above.length - 1; depth >= 0; depth--) {
    const parent = above[depth]!
    const child = above[depth + 1] ?? node
    const siblings = (parent['elements'] ?? parent['arguments'] ?? parent['params'] ?? parent['properties']) as Node[] | undefined
    const around = siblings?.filter((one) => isNode(one) && one !== child).map((one) => source.slice(one.start, one.end))
    if (around?.some((text) => ENGLISH.test(text) && /['"`]/.test(text) && !CHINESE.test(text))) return true
    if (parent.type === 'ConditionalExpression') {
      const [yes, no] = [parent['consequent'], parent['alternate']] as Node[]
      const other = child === yes ? no! : yes!
      if (child !== parent['test'] && !CHINESE.test(source.slice(other.start, other.end)) && ENGLISH.test(source.slice(other.start, other.end)))
        return true
    }
    if (/Statement$|^Program$/.test(parent.type)) return false
  }
  return false
}
