import type { Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { StarterKit } from '@tiptap/starter-kit'
import { isRichLink, isRichPicture, RICH_LINK } from '../../contract/rich.ts'

/** The content that can be written: the tags of the contract and nothing else. */
export const extensions: Extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      HTMLAttributes: { ...RICH_LINK },
      isAllowedUri: (href) => isRichLink(href),
    },
    // It would change the text of whoever only looks at it.
    trailingNode: false,
  }),
  Image.extend({
    // Typed markdown would bring in pictures from anywhere.
    addInputRules: () => [],
    parseHTML: () => [{ tag: 'img[src]', getAttrs: (node: HTMLElement) => (isRichPicture(node.getAttribute('src') ?? '') ? {} : false) }],
  }).configure({ inline: false, allowBase64: false }),
  TableKit.configure({ table: { resizable: false } }),
]
