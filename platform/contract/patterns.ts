type Text = readonly [zh: string, en: string]

/** What the patterns of fields ask for, in words: for the sentence that refuses a value, and for the template that is filled in. */
const WORDS: Readonly<Record<string, Text>> = {
  '^[A-Za-z0-9][A-Za-z0-9_-]*$': ['字母、数字、下划线或连字符，以字母或数字开头', 'letters, digits, _ and -, beginning with a letter or a digit'],
  '^[A-Za-z0-9][A-Za-z0-9_.-]*$': [
    '字母、数字、点、下划线或连字符，以字母或数字开头',
    'letters, digits, . _ and -, beginning with a letter or a digit',
  ],
  '^[A-Za-z][A-Za-z0-9._-]{2,31}$': [
    '3 至 32 个字母、数字、点、下划线或连字符，以字母开头',
    '3 to 32 letters, digits, . _ and -, beginning with a letter',
  ],
  '^[0-9A-Za-z_-]+$': ['字母、数字、下划线或连字符', 'letters, digits, _ and -'],
  '^[0-9A-Za-z_.:-]+$': ['字母、数字、点、冒号、下划线或连字符', 'letters, digits, . : _ and -'],
  '^[A-Z][A-Z0-9-]*$': ['大写字母、数字或连字符，以大写字母开头', 'capital letters, digits and -, beginning with a letter'],
  '^[A-Za-z0-9]*$': ['字母或数字', 'letters and digits'],
  '^[A-Za-z0-9]+$': ['字母或数字', 'letters and digits'],
  '^[0-9A-F]{12}$': ['12 位十六进制数字，如 0102030405AB', '12 hexadecimal digits such as 0102030405AB'],
  '^[0-9]{1,12}$': ['最多 12 位数字', 'at most 12 digits'],
  '^[0-9]{2,12}$': ['2 至 12 位数字', '2 to 12 digits'],
  '^[0-9+ *-]*$': ['电话号码：数字、+、空格或连字符', 'a phone number: digits, +, blanks and -'],
  '^[0-9+*][0-9 *-]{5,19}$': ['6 至 20 位的电话号码', 'a phone number of 6 to 20 digits'],
  '^([01]\\d|2[0-3]):[0-5]\\d$': ['时刻，如 08:30', 'a time of day such as 08:30'],
  '^(([01]\\d|2[0-3]):(00|30)|24:00)$': ['整点或半点，如 08:30', 'an hour or half hour such as 08:30'],
  '^((/[A-Za-z0-9_-]+)+|https?://[^\\s"\'<>]+)$': ['以 / 开头的页面地址，或 http(s) 网址', 'a page address beginning with /, or an http(s) address'],
}
export const patternWords = (pattern: string | undefined): Text | undefined => (pattern === undefined ? undefined : WORDS[pattern])
