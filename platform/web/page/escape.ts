import { useLayoutEffect, useRef, useState } from 'react'

/** A listener to Escape: `top` is for the layer in front, and for no other. */
type OnEscape = (said: { top: boolean; event: KeyboardEvent }) => void
export interface Layer {
  order: number
  onEscape: { readonly current: OnEscape | undefined }
}

/** Layers that are on the page (dialogs, drawers, lists of choices), the one in front last. */
const layers: Layer[] = []
let opened = 0

/** An input method also takes Escape to give up what is typed, and has just ended then. */
const AFTER_COMPOSING_MS = 200
let composed = -Infinity
const onComposed = () => void (composed = performance.now())
function onKey(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.isComposing || performance.now() - composed < AFTER_COMPOSING_MS) return
  const front = layers.at(-1)
  for (const layer of layers.toReversed()) layer.onEscape.current?.({ top: layer === front, event })
}

export function enter(layer: Layer) {
  if (layers.length === 0) {
    globalThis.addEventListener('keydown', onKey)
    globalThis.addEventListener('compositionend', onComposed)
  }
  const before = layers.findIndex(({ order }) => order > layer.order)
  layers.splice(before < 0 ? layers.length : before, 0, layer)
}
export function leave(layer: Layer) {
  layers.splice(layers.indexOf(layer), 1)
  if (layers.length > 0) return
  globalThis.removeEventListener('keydown', onKey)
  globalThis.removeEventListener('compositionend', onComposed)
}

/**
 * Stands in for the hook of the same use in @rc-component/portal. That one counts a layer while it is drawn, also in a drawing that React gives up and begins anew:
 * such a layer never leaves, stays in front, and no dialog of the page hears Escape again. Here a layer counts once it is on the page.
 * A layer drawn within another is in front of it, though React tells the inner one first.
 */
export default function useEscape(open: boolean | undefined, onEscape: OnEscape | undefined) {
  const latest = useRef(onEscape)
  const [place] = useState<{ order?: number | undefined }>({})
  if (!open) place.order = undefined
  else place.order ??= ++opened
  useLayoutEffect(() => {
    latest.current = onEscape
  })
  useLayoutEffect(() => {
    if (!open) return
    const layer = { order: place.order!, onEscape: latest }
    enter(layer)
    return () => leave(layer)
  }, [open, place])
}
