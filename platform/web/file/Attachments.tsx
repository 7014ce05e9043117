import type { Attachment } from '../../contract/field.ts'
import { NONE, sizeOf } from '../format.ts'

/** The name leads to the file, which the browser saves. */
export const AttachmentLink = ({ of: { name, url, bytes } }: { of: Attachment }) => (
  <>
    <a href={url} download={name} onClick={(event) => event.stopPropagation()}>
      {name}
    </a>{' '}
    <small className="faint">{sizeOf(bytes)}</small>
  </>
)

/** Attachments where they are read. */
export function Attachments({ list }: { list: readonly Attachment[] | null | undefined }) {
  if (!list || list.length === 0) return <span className="faint">{NONE}</span>
  return (
    <ul className="attachments">
      {list.map((one) => (
        <li key={one.url}>
          <AttachmentLink of={one} />
        </li>
      ))}
    </ul>
  )
}
