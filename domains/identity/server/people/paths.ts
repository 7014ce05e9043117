/** A node in a tree of names. */
export interface Hanging {
  id: string
  parentId: string | null
  name: string
}
const DEPTH_MAX = 20

/** Each by its id as the path from the top: `总部/工程部`. */
export function pathsOf(all: readonly Hanging[]): Map<string, string> {
  const one = new Map(all.map((each) => [each.id, each]))
  const pathOf = (id: string, depth: number): string => {
    const { parentId, name } = one.get(id)!
    return parentId && one.has(parentId) && depth < DEPTH_MAX ? `${pathOf(parentId, depth + 1)}/${name}` : name
  }
  return new Map(all.map(({ id }) => [id, pathOf(id, 0)]))
}

/** Each by its name and by its path; null for a name that several have. */
export function idsByName(all: readonly Hanging[]): Map<string, string | null> {
  const paths = pathsOf(all)
  return byName(
    all.flatMap(
      ({ id, name }) =>
        (paths.get(id) === name
          ? [[name, id]]
          : [
              [name, id],
              [paths.get(id)!, id],
            ]) as [string, string][],
    ),
  )
}
export function byName(pairs: readonly (readonly [name: string, id: string])[]): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const [name, id] of pairs) found.set(name, found.has(name) ? null : id)
  return found
}
