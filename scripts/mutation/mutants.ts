import { parseSync } from 'vite'
import { changesOf, functionsOf, isSql, marked } from './statements.ts'

/** One change to the source that some test should notice. */
export interface Mutant {
  file: string
  line: number
  /** The line as it stands, without its indent. */
  where: string
  from: string
  to: string
}

/** A node of the syntax tree, as far as it is looked at here. */
interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/**
 * The mutants of a file, and the file with all of them in it: each stands behind `__mutant(number)`, counted from `first`, so that one load of the file can try them one after the other.
 * Code that runs once when the file is loaded (constants) is left alone: only a program of its own could try it. Texts of SQL carry their mutants with them, see `marked`.
 */
export function mutate(file: string, text: string, first: number): { mutants: Mutant[]; code: string } {
  const mutants: Mutant[] = []
  const lines = text.split('\n')
  const add = ({ line, from, to }: Pick<Mutant, 'line' | 'from' | 'to'>) => {
    mutants.push({ file, line, where: lines[line - 1]!.trim(), from: short(from), to: short(to) })
    return first + mutants.length - 1
  }
  const numberOf = (node: Node, from: string, to: string) => add({ line: text.slice(0, node.start).split('\n').length, from, to })
  const raw = (node: Node) => text.slice(node.start, node.end)

  /** The text of a node with the mutants of what is in it. */
  const written = (node: Node, running: boolean): string => {
    const inside = running || FUNCTIONS.test(node.type)
    let code = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      code += text.slice(at, child.start) + changed(child, inside, node)
      at = child.end
    }
    return code + text.slice(at, node.end)
  }
  const sql = (node: Node) => {
    const first = text.slice(0, node.start).split('\n').length
    const changes = changesOf(raw(node)).map((one) => {
      const line = first + raw(node).slice(0, one.at).split('\n').length - 1
      return { ...one, number: add({ line, from: one.from, to: one.to }) }
    })
    return marked(raw(node), changes)
  }
  /** Its mutants are numbered before those of what is in it. */
  const changed = (node: Node, running: boolean, parent: Node): string => {
    if (holdsSql(node, parent)) return sql(node)
    if (!running) return written(node, running)
    if (isRemovable(node)) {
      const number = numberOf(node, raw(node), '')
      return `{ if (!__mutant(${number})) { ${written(node, running)} } }`
    }
    const others = alternatives(node, parent, raw).map((to) => `__mutant(${numberOf(node, raw(node), to)}) ? ${to} : `)
    const code = written(node, running)
    return others.length ? `(${others.join('')}${code})` : code
  }
  const { program, errors } = parseSync(file, text)
  if (errors.length) throw new Error(`${file}: ${errors[0]!.message}`)
  return { mutants, code: text.slice(0, program.start) + written(program as unknown as Node, false) + text.slice(program.end) }
}

/**
 * The mutants of the functions that a migration makes. They are no part of the program: the database takes a function's other text for as long as its mutant is tried,
 * and its own again. What a migration makes besides (tables, triggers, policies) is left alone.
 */
export function mutateFunctions(file: string, text: string, first: number): { mutants: Mutant[]; switches: Map<number, Switch> } {
  const mutants: Mutant[] = []
  const switches = new Map<number, Switch>()
  for (const { at: begins, text: whole, body } of functionsOf(text)) {
    const off = replacing(whole)
    for (const { at, from, to } of changesOf(whole.slice(body))) {
      const place = body + at
      const before = text.slice(0, begins + place)
      const where = text.split('\n')[before.split('\n').length - 1]!.trim()
      switches.set(first + mutants.length, { on: replacing(whole.slice(0, place) + to + whole.slice(place + from.length)), off })
      mutants.push({ file, line: before.split('\n').length, where, from, to })
    }
  }
  return { mutants, switches }
}
/** Statements that switch a mutant on in a database function, and off again. */
export interface Switch {
  on: string
  off: string
}
const replacing = (whole: string) => whole.replace(/^create function/, 'create or replace function')

/** A string that is one statement or a part of one, or what stands of it between two values. */
const holdsSql = (node: Node, parent: Node): boolean => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' && isSql(node['value'])
  return node.type === 'TemplateElement' && isSql((parent['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('$1'))
}

const FUNCTIONS = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/
const SHOWN_MAX = 100
const short = (code: string) => code.replace(/\s+/g, ' ').slice(0, SHOWN_MAX)

/** In the order of the text; types, names of properties and what is bound are no code. */
function childrenOf(node: Node): Node[] {
  const children = Object.entries(node).flatMap(([key, value]) => {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters' || key === 'typeArguments') return []
    if (key === 'key' && !node['computed']) return []
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
  })
  return children
    .filter(({ type }) => !type.startsWith('TS') || TRANSPARENT.test(type))
    .filter((child, i, all) => !all.slice(0, i).some(({ start }) => start === child.start)) // `{ name }` is key and value at once
    .sort((a, b) => a.start - b.start)
}
const TRANSPARENT = /^TS(As|Satisfies|NonNull)Expression$/

/** A statement that does something and hands nothing on. */
function isRemovable(node: Node): boolean {
  if (node.type === 'ThrowStatement') return true
  return node.type === 'ExpressionStatement' && !node['directive']
}

const OPERATORS: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
}
/** Functions that answer what another one of their kind does not. */
const NAMES: Record<string, string> = { min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', some: 'every', every: 'some' }
const CONDITIONS = /^(IfStatement|ConditionalExpression)$/

function alternatives(node: Node, parent: Node, raw: (node: Node) => string): string[] {
  const found = ownAlternatives(node, raw)
  // A condition is tried as true and as false; a comparison's opposite is one of its own alternatives already.
  const decides = CONDITIONS.test(parent.type) && parent['test'] === node
  const whole = decides || (parent.type === 'LogicalExpression' && node.type !== 'LogicalExpression' && isCondition(node))
  return whole && node.type !== 'Literal' ? ['true', 'false', ...found] : found
}
const isCondition = (node: Node) => node.type === 'BinaryExpression' || (node.type === 'UnaryExpression' && node['operator'] === '!')

function ownAlternatives(node: Node, raw: (node: Node) => string): string[] {
  const part = (key: string) => node[key] as Node
  const operator = node['operator'] as string
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      if (operator === '??') return [raw(part('left'))]
      if (operator === '+' && [part('left'), part('right')].some(isText)) return []
      return (OPERATORS[operator] ?? []).map((other) => `${raw(part('left'))} ${other} ${raw(part('right'))}`)
    case 'AssignmentExpression':
      return isText(part('right')) ? [] : (OPERATORS[operator] ?? []).map((other) => `${raw(part('left'))} ${other} ${raw(part('right'))}`)
    case 'UpdateExpression':
      return OPERATORS[operator]!.map((other) => (node['prefix'] ? other + raw(part('argument')) : raw(part('argument')) + other))
    case 'UnaryExpression':
      return operator === '!' || operator === '-' ? [raw(part('argument'))] : []
    case 'Literal':
      if (typeof node['value'] === 'boolean') return [String(!node['value'])]
      return typeof node['value'] === 'number' ? [String(node['value'] + 1)] : []
    case 'CallExpression':
      return otherCall(node, raw)
    default:
      return []
  }
}
function otherCall(node: Node, raw: (node: Node) => string): string[] {
  const callee = node['callee'] as Node
  if (callee.type !== 'MemberExpression' || callee['computed']) return []
  const of = raw(callee['object'] as Node)
  const name = raw(callee['property'] as Node)
  if (name === 'filter') return [of]
  const other = NAMES[name]
  return other === undefined ? [] : [`${of}.${other}${raw(node).slice(callee.end - node.start)}`]
}
const isText = ({ type, value }: Node) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
