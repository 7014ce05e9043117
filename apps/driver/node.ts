type Child = Node | string | false | null | undefined
type Props<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], 'children'>>

/** An element with its properties and children; what is false or missing is left out. */
export function node<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props<K> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), props)
  made.append(...children.filter((child): child is Node | string => child instanceof Node || (typeof child === 'string' && child !== '')))
  return made
}
