/**
 * The content that formatted text may hold, declared once: the server cleans incoming text by it, the page cleans displayed text
 * by it, and the editor produces nothing else.
 * No styles, classes, scripts or frames; an attribute that is not listed is dropped, a tag that is not listed leaves its text.
 */
export const RICH_TAGS: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  hr: [],
  h2: [],
  h3: [],
  h4: [],
  strong: [],
  em: [],
  u: [],
  s: [],
  code: [],
  pre: [],
  blockquote: [],
  ul: [],
  ol: ['start'],
  li: [],
  a: ['href'],
  img: ['src', 'alt'],
  table: [],
  tbody: [],
  tr: [],
  th: ['colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
}
/** Older or careless markup that means one of ours. */
export const RICH_SAME: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  del: 's',
  strike: 's',
  h1: 'h2',
  h5: 'h4',
  h6: 'h4',
  thead: 'tbody',
}

/** A link leads out to the web and nowhere else; no `javascript:`, no `data:`, no address that takes its scheme from the page. */
export const isRichLink = (href: string) => href.length <= LINK_MAX && /^https?:\/\/[\p{L}\p{N}[][^\s\p{Cc}<>"'`\\]*$/iu.test(href)
/** A picture is one of the enterprise's own files. An address elsewhere would tell a stranger who reads the text, and when. */
export const isRichPicture = (src: string) => /^\/lbs\/[\w/]{1,100}\?fileName=[\w.-]{1,100}$/.test(src)
const LINK_MAX = 2000

/** The attributes of every link: it opens another tab, which learns nothing about this one. */
export const RICH_LINK = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const
