import { parseSync } from 'vite'
import type { Source } from '../../scripts/sources.ts'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: any
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const children = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)

/** A text that PostgreSQL would run. */
const SQL =
  /^\s*(select|insert|update|delete|with|create|alter|drop|grant|revoke|truncate|copy|listen|notify|set|merge)\b[\s\S]*\b(from|into|set|table|role|database|as|schema|function|to|values|select)\b/i

/** A place where a value of some kind becomes part of SQL's text, `file | expression`. Constants may; what could come from a person must be a parameter. */
export function builtFromValues({ file, text }: Source): string[] {
  const program = parseSync(file, text).program as unknown as Node
  const consts = new Map<string, Node[]>()
  walk(program, (node) => {
    if (node.type !== 'VariableDeclaration' || node['kind'] !== 'const') return
    for (const { id, init } of node['declarations'] as { id: Node; init: Node | null }[])
      if (init && id.type === 'Identifier') consts.set(id['name'], [...(consts.get(id['name']) ?? []), init])
  })
  const found: string[] = []
  const check = (expression: Node) => {
    if (!isConstant(expression, consts, new Set())) found.push(`${file} | ${text.slice(expression.start, expression.end).replace(/\s+/g, ' ')}`)
  }
  walk(program, (node, above) => {
    if (node.type === 'TemplateLiteral' && node['expressions'].length > 0 && above?.type !== 'TaggedTemplateExpression') {
      const whole = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(' ? ')
      if (SQL.test(whole)) for (const expression of node['expressions'] as Node[]) check(expression)
    }
    if (node.type === 'CallExpression' && /^sql\s*\.\s*(raw|lit)$/.test(text.slice(node['callee'].start, node['callee'].end)))
      for (const argument of node['arguments'] as Node[]) check(argument)
  })
  return found
}

function walk(node: Node, see: (node: Node, above?: Node) => void, above?: Node): void {
  see(node, above)
  for (const child of children(node)) walk(child, see, node)
}

/** Known when the program is written: literals, constants of them, and what is joined or chosen from such. */
function isConstant(node: Node, consts: ReadonlyMap<string, Node[]>, seen: Set<string>): boolean {
  const is = (one: Node) => isConstant(one, consts, seen)
  switch (node.type) {
    case 'Literal':
      return true
    case 'TemplateLiteral':
      return (node['expressions'] as Node[]).every(is)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return is(node['expression'])
    case 'ConditionalExpression':
      return is(node['consequent']) && is(node['alternate'])
    case 'LogicalExpression':
    case 'BinaryExpression':
      return is(node['left']) && is(node['right'])
    case 'ArrayExpression':
      return (node['elements'] as Node[]).every(is)
    case 'ObjectExpression':
      return (node['properties'] as Node[]).every((property) => property.type === 'Property' && is(property['value']))
    case 'MemberExpression':
      return is(node['object'])
    case 'CallExpression':
      // Methods of constants (`COLUMNS.split(', ').map(...).join(', ')`), and `Object.keys(Entity.properties)`.
      return (
        node['callee'].type === 'MemberExpression' &&
        (is(node['callee']['object']) || (node['callee']['object']['name'] === 'Object' && (node['arguments'] as Node[]).every(is)))
      )
    case 'Identifier': {
      const name = node['name'] as string
      if (/^[A-Z][A-Z0-9_]*$/.test(name) || /^[A-Z]\w+$/.test(name)) return true // a constant or an entity of the contract
      const inits = consts.get(name)
      if (!inits || seen.has(name)) return false
      seen.add(name)
      return inits.every(is)
    }
    default:
      return false
  }
}
