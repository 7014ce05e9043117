import { useRef, useState } from 'react'
import { newKey, type Refusal } from '../ask.ts'
import { toast } from '../page/hosts.tsx'
import type { Text } from '../text.ts'
import { send, type Uploaded } from './upload.ts'

/** A file on its way, or one that did not arrive. */
export interface Sending {
  /** Also its Idempotency-Key: when only the answer got lost, trying again makes no second file. */
  key: string
  file: File
  share: number
  error?: string
}
interface Uploads {
  /** Why a file is not even sent. */
  refused: (file: File) => Text | undefined
  only?: 'picture'
  /** How many more there may be. */
  room: number
  full: Text
  done: (uploaded: Uploaded, file: File) => void
}
/** More at once are not faster, and others want to use the line too. */
const AT_ONCE = 3

/** Sends files, some at once, each with its progress. What has arrived is handed on; what has not stays with its reason and can be tried again. */
export function useUploads(given: Uploads) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const latest = useRef(given)
  latest.current = given
  const line = useRef({ busy: 0, waiting: [] as (() => void)[], stops: new Map<string, AbortController>() }).current
  const change = (key: string, to: Partial<Sending>) => setSending((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)))
  const drop = (key: string) => setSending((all) => all.filter((one) => one.key !== key))
  const next = () => {
    while (line.busy < AT_ONCE && line.waiting.length > 0) line.waiting.shift()!()
  }
  const start = ({ key, file }: Sending) => {
    const stop = new AbortController()
    line.stops.set(key, stop)
    line.waiting.push(async () => {
      line.busy++
      try {
        if (stop.signal.aborted) return
        const { only } = latest.current
        const uploaded = await send(file, { ...(only && { only }), key, signal: stop.signal, onProgress: (share) => change(key, { share }) })
        drop(key)
        latest.current.done(uploaded, file)
      } catch (error) {
        if (!stop.signal.aborted) change(key, { error: (error as Refusal).message, share: 0 })
      } finally {
        line.busy--
        line.stops.delete(key)
        next()
      }
    })
    next()
  }
  return {
    sending,
    add(files: readonly File[]) {
      const { refused, room, full } = latest.current
      const fit = files.filter((file) => {
        const why = refused(file)
        if (why) toast('error', why)
        return !why
      })
      const free = Math.max(0, room - sending.length)
      if (fit.length > free) toast('warning', full)
      const taken = fit.slice(0, free).map((file) => ({ key: newKey(), file, share: 0 }))
      setSending((all) => [...all, ...taken])
      taken.forEach(start)
    },
    retry({ key, file }: Sending) {
      setSending((all) => all.map((one) => (one.key === key ? { key, file, share: 0 } : one)))
      start({ key, file, share: 0 })
    },
    cancel(key: string) {
      line.stops.get(key)?.abort()
      drop(key)
    },
  }
}
