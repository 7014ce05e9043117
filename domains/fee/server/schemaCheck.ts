import { Ajv } from 'ajv'
import { civilOf } from './civil.ts'

/** Checks a JSON value against a schema; the first mistake with its place, or nothing. */
export function schemaCheck(schema: object): (value: unknown) => { where: string; what: string } | undefined {
  let check: ReturnType<Ajv['compile']> | undefined
  return (value) => {
    check ??= new Ajv({ strict: false }).addFormat('date', (text: string) => text.length === 10 && civilOf(text) !== undefined).compile(schema)
    if (check(value)) return undefined
    // Of the errors of an `anyOf` the deepest one is about the intended branch.
    const error = [...(check.errors ?? [])].sort((a, b) => b.instancePath.length - a.instancePath.length)[0]!
    return { where: error.instancePath.replaceAll('/', '.'), what: error.message ?? 'is not right' }
  }
}
