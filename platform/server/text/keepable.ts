/** Whether PostgreSQL keeps each text in it: none has U+0000 or half a surrogate pair. A backslash that stands in a text is doubled in JSON, and begins no such character. */
export const isKeepable = (value: unknown): boolean => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value).replaceAll('\\\\', ''))
