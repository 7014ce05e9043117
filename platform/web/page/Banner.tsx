import type { ReactNode } from 'react'

interface Props {
  tone: 'warning' | 'info'
  /** For whoever looks for it by name. */
  state?: string
  className?: string
  action?: ReactNode
  children: ReactNode
}
/** One sentence across the page, with what can be done about it. Plain markup: it is there even when nothing can be loaded any more. */
export const Banner = ({ tone, state, className = '', action, children }: Props) => (
  <div role="alert" className={`banner ${tone} ${className}`} {...(state && { 'data-state': state })}>
    <span className={`state ${tone === 'warning' ? 'warning' : 'default'}`} />
    <span>{children}</span>
    <span className="push" />
    {action}
  </div>
)
