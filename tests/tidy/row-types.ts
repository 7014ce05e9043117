import path from 'node:path'
import { parseSync } from 'vite'
import { root, type Source } from '../../scripts/sources.ts'

/** A table as TypeScript sees it: `server/tables.ts` declares it, the contract's entity often is a part of it. */
export interface RowType {
  /** `parking.stay`, as SQL names it. */
  table: string
  file: string
  /** By column name; the contract's schema of the field, where an entity says it. */
  fields: Map<string, object | undefined>
}

interface Node {
  type: string
  [key: string]: any // the syntax tree of TypeScript is read by name, not by its own types
}
type Fields = Map<string, object | undefined>

/** The tables that one file adds to `interface Tables` of platform/server/database.ts. */
export async function rowTypesIn(source: Source): Promise<RowType[]> {
  const program = parseSync(source.file, source.text).program as unknown as { body: Node[] }
  const reader = new RowReader(source, program.body)
  const tables = program.body
    .filter(({ type }) => type === 'TSModuleDeclaration')
    .flatMap(({ body }) => body.body as Node[])
    .map((statement) => statement['declaration'] ?? statement)
    .find((statement) => statement.type === 'TSInterfaceDeclaration' && statement['id'].name === 'Tables')
  const members = (tables?.['body'].body ?? []) as Node[]
  return Promise.all(
    members.map(async (member) => ({
      table: snake(member['key'].value as string),
      file: source.file,
      fields: new Map([...(await reader.fieldsOf(member['typeAnnotation'].typeAnnotation))].map(([name, schema]) => [snake(name), schema])),
    })),
  )
}

export const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Type parameters of a generic row type, with what they stand for. */
type Given = ReadonlyMap<string, Fields>
const NOTHING: Given = new Map()

class RowReader {
  #source: Source
  #body: Node[]
  constructor(source: Source, body: Node[]) {
    this.#source = source
    this.#body = body
  }

  async fieldsOf(type: Node, given: Given = NOTHING): Promise<Fields> {
    if (type.type === 'TSIntersectionType') return merged(await Promise.all(type['types'].map((part: Node) => this.fieldsOf(part, given))))
    if (type.type === 'TSTypeLiteral') return membersOf(type['members'])
    if (type.type === 'TSParenthesizedType') return this.fieldsOf(type['typeAnnotation'], given)
    // `[K in keyof T]` has T's fields; `[K in Names]` gives some of a type's fields again in another form, beside an Omit of that type.
    if (type.type === 'TSMappedType')
      return type['constraint'].operator === 'keyof' ? this.fieldsOf(type['constraint'].typeAnnotation, given) : new Map()
    if (type.type === 'TSTypeReference') return this.#referred(type, given)
    throw new Error(
      `${this.#source.file}: tests/tidy/row-types.ts does not read a ${type.type}; write the row as an interface, Of<typeof Entity>, Omit, Pick or a literal.`,
    )
  }

  async #referred({ typeName, typeArguments }: Node, given: Given): Promise<Fields> {
    const args = (typeArguments?.params ?? []) as Node[]
    const name = typeName.name as string
    if (given.has(name)) return given.get(name)!
    if (name === 'Of') return this.#entityFields(args[0]!['exprName'])
    if (name === 'Omit' || name === 'Pick') {
      const named = new Set(literalsOf(args[1]!))
      return new Map([...(await this.fieldsOf(args[0]!, given))].filter(([field]) => named.has(field) === (name === 'Pick')))
    }
    if (name === 'Partial' || name === 'Readonly') return this.fieldsOf(args[0]!, given)
    return this.#declared(name, args, given)
  }

  async #declared(name: string, args: readonly Node[], given: Given): Promise<Fields> {
    const found = this.#body.map((statement) => statement['declaration'] ?? statement).find((statement: Node) => statement['id']?.name === name)
    if (!found) throw new Error(`${this.#source.file}: the row type ${name} is not declared in this file.`)
    const parameters = (found.typeParameters?.params ?? []) as Node[]
    const passed: Given = new Map(
      await Promise.all(
        parameters.flatMap((parameter, index) =>
          isFieldless(args[index]) ? [] : [this.fieldsOf(args[index]!, given).then((fields) => [parameter['name'].name as string, fields] as const)],
        ),
      ),
    )
    if (found.type === 'TSTypeAliasDeclaration') return isFieldless(found.typeAnnotation) ? new Map() : this.fieldsOf(found.typeAnnotation, passed)
    const above = await Promise.all(
      (found.extends ?? []).map((one: Node) =>
        this.fieldsOf({ type: 'TSTypeReference', typeName: one['expression'], typeArguments: one['typeArguments'] }),
      ),
    )
    return merged([...above, membersOf(found.body.body)])
  }

  /** `typeof Stay`: the entity itself, from the contract that this file imports it from. */
  async #entityFields(expression: Node): Promise<Fields> {
    const name = expression['name'] as string
    const statement = this.#body.find(
      (one) => one.type === 'ImportDeclaration' && (one['specifiers'] as Node[]).some(({ local }) => local.name === name),
    )
    if (!statement) throw new Error(`${this.#source.file}: ${name} is not imported in this file.`)
    const imported = (statement['specifiers'] as Node[]).find(({ local }) => local.name === name)!['imported'].name
    const file = path.resolve(root, path.dirname(this.#source.file), statement['source'].value)
    const { properties } = ((await import(file)) as Record<string, { properties: Record<string, object> }>)[imported]!
    return new Map(Object.entries(properties))
  }
}

/** A parameter that is a list of names, or left to its default: it has no fields of its own. */
const isFieldless = (type: Node | undefined) =>
  !type || type.type === 'TSLiteralType' || type.type === 'TSUnionType' || type.type === 'TSTypeOperator' || type['typeName']?.name === 'Exclude'
const merged = (parts: readonly Fields[]): Fields => new Map(parts.flatMap((part) => [...part]))
const membersOf = (members: readonly Node[]): Fields =>
  new Map(members.filter(({ key }) => key).map(({ key }) => [(key.name ?? key.value) as string, undefined]))
/** The names in a union that are written out; those behind a type's name are not looked up. */
const literalsOf = (type: Node): string[] =>
  type.type === 'TSUnionType' ? (type['types'] as Node[]).flatMap(literalsOf) : type.type === 'TSLiteralType' ? [type['literal'].value] : []
