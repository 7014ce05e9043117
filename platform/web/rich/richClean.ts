import createPurifier from 'dompurify'
import { isRichLink, isRichPicture, RICH_LINK, RICH_TAGS } from '../../contract/rich.ts'

const purifier = createPurifier(window)
purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
  const { attrName: name, attrValue: value } = attribute
  const tag = node.nodeName.toLowerCase()
  const known = RICH_TAGS[tag]?.includes(name) ?? false
  attribute.keepAttr = known && (name !== 'href' || isRichLink(value)) && (name !== 'src' || isRichPicture(value))
})
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A' && node.hasAttribute('href')) for (const [name, value] of Object.entries(RICH_LINK)) node.setAttribute(name, value)
  if (node.nodeName === 'IMG' && !node.hasAttribute('src')) node.remove()
})

const TAGS = Object.keys(RICH_TAGS)
const ATTRIBUTES = [...new Set(Object.values(RICH_TAGS).flat())]

/** The server cleaned it when it was written; what is shown is cleaned again, in case a row came another way, by the browser's own parser. */
export const cleanForPage = (html: string): string =>
  purifier.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, KEEP_CONTENT: true })
