import sanitize from 'sanitize-html'
import { isRichLink, isRichPicture, RICH_LINK, RICH_SAME, RICH_TAGS } from '../../contract/rich.ts'

/** Nobody writes deeper lists than this; what is deeper was made to break a reader. */
const NESTING_MAX = 40

/** The reader's work grows with the tags, and faster than they do where they stand within one another: so many hold the process for some 30 ms at worst, and are a hundred pages of text. */
export const MARKS_MAX = 6_000
export function isTooMuch(html: string): boolean {
  let marks = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) if (++marks > MARKS_MAX) return true
  return false
}

/** Formatted text with everything taken out that is not on the list of `platform/contract/rich.ts`. Cleaning twice changes nothing more. */
export function cleanRich(html: string): string {
  return sanitize(html, OPTIONS).trim()
}

const OPTIONS: sanitize.IOptions = {
  allowedTags: Object.keys(RICH_TAGS),
  allowedAttributes: { ...Object.fromEntries(Object.entries(RICH_TAGS).map(([tag, names]) => [tag, [...names]])), a: ['href', 'target', 'rel'] },
  allowedSchemes: ['http', 'https'],
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: NESTING_MAX,
  enforceHtmlBoundary: false,
  transformTags: {
    ...Object.fromEntries(Object.entries(RICH_SAME).map(([from, to]) => [from, sanitize.simpleTransform(to, {}, true)])),
    // A link that we do not allow becomes plain text: otherwise it would look like a link that leads nowhere.
    a: (_, { href = '' }) =>
      isRichLink(href) ? { tagName: 'a', attribs: { href, ...RICH_LINK } } : { tagName: 'discarded', attribs: {} as Record<string, string> },
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isRichPicture(attribs['src'] ?? ''),
}
