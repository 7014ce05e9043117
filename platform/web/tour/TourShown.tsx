import { Tour as Walk } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../text.ts'
import { leaveTour, placeOf, stepsInSight, type Tour } from './tour.ts'
import './tour.css'

/** Step by step over the page, which waits. By keyboard: Enter or → on, ← back, Esc leaves; no other key reaches the page. */
export default function TourShown({ of, onClose }: { of: Tour; onClose: () => void }) {
  const say = useText()
  const [steps] = useState(() => stepsInSight(of))
  const [current, setCurrent] = useState(0)
  const last = steps.length - 1
  const close = () => {
    leaveTour(of)
    onClose()
  }
  const moved = useFocusWithin(current)
  useEffect(() => {
    const doing: Record<string, () => void> = {
      ArrowRight: () => setCurrent(Math.min(last, current + 1)),
      ArrowLeft: () => setCurrent(Math.max(0, current - 1)),
      Escape: close,
      Tab: () => undefined,
    }
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Enter' || event.key === ' ') return
      event.stopPropagation()
      if (!doing[event.key]) return
      event.preventDefault()
      if (event.key === 'Tab') {
        moved.current = true
        toNext(event.shiftKey ? -1 : 1)
      } else doing[event.key]!()
    }
    addEventListener('keydown', hear, true)
    return () => removeEventListener('keydown', hear, true)
  })
  return (
    <Walk
      open
      rootClassName="tour"
      keyboard={false}
      disabledInteraction
      current={current}
      onChange={setCurrent}
      onClose={close}
      closable={{ 'aria-label': say(['结束导览', 'Leave the tour']) }}
      indicatorsRender={(at, of) => <span className="faint">{`${at + 1} / ${of}`}</span>}
      steps={steps.map((step, place) => {
        const next = { children: place === last ? say(['完成', 'Done']) : say(['下一步', 'Next']), 'aria-describedby': SAID }
        return {
          target: () => placeOf(step) ?? document.body,
          title: say(step.title),
          description: <span id={SAID}>{say(step.text)}</span>,
          nextButtonProps: next,
          prevButtonProps: { children: say(['上一步', 'Back']) },
        }
      })}
    />
  )
}
const SAID = 'tour-said'
const buttons = () => [...document.querySelectorAll<HTMLElement>('.tour button')]
function toNext(by: 1 | -1) {
  const all = buttons()
  const at = all.indexOf(document.activeElement as HTMLElement)
  all.at((at + by) % all.length)?.focus()
}

/** The way on has the focus at each step, unless somebody has moved it since the step began; it goes back to the help, where the tour began. */
function useFocusWithin(current: number) {
  const moved = useRef(false)
  useEffect(() => {
    moved.current = false
    // The panel of a step comes once its place on the page is measured.
    const wait = requestAnimationFrame(() => requestAnimationFrame(() => moved.current || buttons().at(-1)?.focus()))
    return () => cancelAnimationFrame(wait)
  }, [current])
  useEffect(() => () => document.querySelector<HTMLElement>('.help-button')?.focus(), [])
  return moved
}
