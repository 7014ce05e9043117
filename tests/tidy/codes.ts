import type { Source } from '../../scripts/sources.ts'
import { isNode, lineAt, type Node, type Rule, visit } from './rules.ts'

/** Whose statements and calls are read. Programs of the city that play other companies' systems speak those companies' own codes. */
const WRITES = /^(domains\/[^/]+\/server|city(?!\/(callCentre|notify|partner|pay)\/))\//
const SHOWS = /^domains\/[^/]+\/web\//
const TRIES = /\.test\.tsx?$|\/(testing|factory|factories)\.ts$/

/**
 * Names of fields for states and kinds in every domain; and fields whose closed list a domain declares: `relay: among('分合',
 * 'Switch', Relay)`.
 */
const ALWAYS = String.raw`status|state|outcome|direction|abnormalType|kind|source|type|entryMode|exitMode|carKind\w*|\w+(?:State|Status|Mode|Type|Kind)`
const COLUMNS = String.raw`status|state|outcome|direction|kind|source|type|\w+_(?:state|status|mode|type|kind)`
const DECLARED = /\b(\w+): (?:orNone\()?(?:called\()?(?:orNone\()?among\(/g
/** Names that are those of counts, edges or wires as well. */
const ALSO_OTHERWISE = new Set('from to place unit step issued usable used faceFen deductedFen compare rank solved door target'.split(' '))
/** A type that says that it is a code. */
const CODE = /\bCodeOf<|\w+Code\b|^typeof [A-Z]\w*\.\w+( \| typeof [A-Z]\w*\.\w+)*$/

/** A code is called by its name in its closed list, wherever it is compared, put, asked for or handed on. A type (`1 | 2`) may name its digits. */
export const namedCodes: Rule = (sources) => {
  const fieldsOf = declaredIn(sources)
  const read = sources.filter(({ file }) => (WRITES.test(file) || SHOWS.test(file)) && !TRIES.test(file))
  const forms = new Map<string, RegExp>()
  const formsOf = (file: string) => {
    const form = `${SHOWS.test(file)} ${homeOf(file)}`
    const made = forms.get(form) ?? digits(fieldsOf(homeOf(file)), SHOWS.test(file))
    forms.set(form, made)
    return made
  }
  const put = read.flatMap(({ file, text }) =>
    [...text.matchAll(formsOf(file))].map(({ 0: found, index }) => `${file}:${lineAt(text, index)} has "${found.slice(-60)}"`),
  )
  const handed = handedOn(
    read.filter(({ file }) => WRITES.test(file)),
    fieldsOf,
  )
  return [...put, ...handed].map((found) => `${found}: its closed list names its members.`)
}

/** The domain whose lists a file reads; the city reads all of them. */
const homeOf = (file: string) => /^domains\/([^/]+)\//.exec(file)?.[1] ?? ''
function declaredIn(sources: readonly Source[]): (home: string) => readonly string[] {
  const fields = new Map<string, Set<string>>([['', new Set()]])
  for (const { file, text } of sources.filter((one) => /^domains\/[^/]+\/contract\//.test(one.file)))
    for (const [, name] of text.matchAll(DECLARED)) {
      if (ALSO_OTHERWISE.has(name!)) continue
      fields.set(homeOf(file), (fields.get(homeOf(file)) ?? new Set()).add(name!))
      fields.get('')!.add(name!)
    }
  return (home) => [...(fields.get(home) ?? [])].sort()
}

const column = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** Numbers of HTTP are no codes of ours. */
const DIGIT = String.raw`(?!(?:200|[45]\d\d)\b)\d`
function digits(fields: readonly string[], isShown: boolean): RegExp {
  const name = `(?:${[ALWAYS, ...fields].join('|')})`
  const col = `(?:${[COLUMNS, ...fields.map(column)].join('|')})`
  const values = [
    String.raw`\b(?<!error\.)${name}\)? (?:===|!==) ${DIGIT}`,
    String.raw`\b${name}: (?:[^,{}\n|?]*\? )?(?:\[\d|${DIGIT}\d*\b(?= as const|\s*[,)};:]))`,
    String.raw`\b${name} \?\? \d`,
    String.raw`\[\d[^\]]*\]\.includes\((?:\w+\.)*${name}\b`,
  ]
  const statements = [
    String.raw`'(?:\w+\.)?${name}', '[^']*', \[?\d`,
    String.raw`\b(?<!(?:let|const) )${col}(?:::\w+)? (?:=|<>) (?:case (?:(?!\bend\b)[^'\x60])*? then )?${DIGIT}`,
    String.raw`\bcase (?:\w+\.)?${col} when \d`,
    String.raw`\b${col} (?:not )?in \(\d`,
  ]
  return new RegExp([...values, ...(isShown ? [String.raw`\b${name}=\{\d\}`] : statements)].join('|'), 'g')
}

interface Functions {
  source: Source
  /** Of each function of the file, which of its parameters are codes. */
  declared: Map<string, readonly number[]>
  exported: Set<string>
  /** Imported functions by their local names, with their names at home. */
  imported: Map<string, string>
  calls: { name: string; given: readonly Node[] }[]
}
/** Digits in calls, of whatever takes a code there: `moved(tx, order, 1, 2)`. */
function handedOn(sources: readonly Source[], fieldsOf: (home: string) => readonly string[]): string[] {
  const files = sources.map((source) => functionsIn(source, new RegExp(`^(?:${[ALWAYS, ...fieldsOf(homeOf(source.file))].join('|')})$`)))
  const offered = new Map<string, readonly number[]>()
  for (const { declared, exported } of files) for (const name of exported) offered.set(name, common(offered.get(name), declared.get(name)!))
  return files.flatMap(({ source: { file, text }, declared, imported, calls }) =>
    calls.flatMap(({ name, given }) => {
      const places = declared.get(name) ?? offered.get(imported.get(name) ?? '') ?? []
      return places
        .flatMap((place) => given[place] ?? [])
        .filter(isDigit)
        .map(({ start, end }) => `${file}:${lineAt(text, start)} gives ${name}() "${text.slice(start, end)}"`)
    }),
  )
}
/** Of functions of one name only what all of them take as a code. */
const common = (known: readonly number[] | undefined, places: readonly number[]) => (known ? known.filter((place) => places.includes(place)) : places)
const isDigit = (node: Node): boolean =>
  node.type === 'ConditionalExpression'
    ? isDigit(node['consequent'] as Node) || isDigit(node['alternate'] as Node)
    : node.type === 'Literal' && typeof node['value'] === 'number'

function functionsIn(source: Source, codes: RegExp): Functions {
  const found: Functions = { source, declared: new Map(), exported: new Set(), imported: new Map(), calls: [] }
  const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : '')
  const isCode = (given: Node) => {
    const param = given.type === 'AssignmentPattern' ? (given['left'] as Node) : given
    const type = (param['typeAnnotation'] as { typeAnnotation?: Node } | null)?.typeAnnotation
    return codes.test(nameOf(param)) || (type !== undefined && CODE.test(source.text.slice(type.start, type.end)))
  }
  visit(source, (node, above) => {
    if (node.type === 'ImportSpecifier') found.imported.set(nameOf(node['local']), nameOf(node['imported']))
    if (node.type === 'CallExpression') found.calls.push({ name: nameOf(node['callee']), given: node['arguments'] as Node[] })
    const made = node.type === 'FunctionDeclaration' ? node : node.type === 'VariableDeclarator' ? node['init'] : undefined
    const name = nameOf(node['id'])
    if (name === '' || !isNode(made) || !/^(FunctionDeclaration|ArrowFunctionExpression)$/.test(made.type)) return
    const places = (made['params'] as Node[]).flatMap((param, place) => (isCode(param) ? [place] : []))
    found.declared.set(name, common(found.declared.get(name), places))
    if (above.slice(-2).some(({ type }) => type === 'ExportNamedDeclaration')) found.exported.add(name)
  })
  return found
}
