import { parseSync } from 'vite'

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
 * What runs once when the file is loaded (constants, statements in SQL) is left alone: only a program of its own could try it.
 */
export function mutate(file: string, text: string, first: number): { mutants: Mutant[]; code: string } {
  const mutants: Mutant[] = []
  const lines = text.split('\n')
  const numberOf = (node: Node, from: string, to: string) => {
    const line = text.slice(0, node.start).split('\n').length
    mutants.push({ file, line, where: lines[line - 1]!.trim(), from: short(from), to: short(to) })
    return first + mutants.length - 1
  }
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
  /** Its mutants are numbered before those of what is in it. */
  const changed = (node: Node, running: boolean, parent: Node): string => {
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
  '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'],
  '===': ['!=='], '!==': ['==='], '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'],
  '&&': ['||'], '||': ['&&'], '+=': ['-='], '-=': ['+='], '++': ['--'], '--': ['++'],
} // prettier-ignore
/** Functions that answer what another one of their kind does not. */
const NAMES: Record<string, string> = { min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', some: 'every', every: 'some' }
const CONDITIONS = /^(IfStatement|ConditionalExpression)$/

function alternatives(node: Node, parent: Node, raw: (node: Node) => string): string[] {
  const found = ownAlternatives(node, raw)
  // Whatever it says, this way or that; a comparison's opposite is one of its own alternatives already.
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
