/** `parkCode` → `park_code`, as SQL names it. */
export const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** `park_code` → `parkCode`. */
export const camelOf = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
/** An entity's fields as a statement lists them: `id, park_code, name`. */
export const columnsIn = ({ properties }: { properties: object }): string => Object.keys(properties).map(snakeOf).join(', ')
