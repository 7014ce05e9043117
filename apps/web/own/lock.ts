import { useSyncExternalStore } from 'react'
import { lock } from '../../../domains/identity/contract/lock.ts'
import { ask, onLocked } from '../../../platform/web/ask.ts'
import { valueOf } from '../../../platform/web/choice.ts'
import { person } from '../../../platform/web/person.ts'
import { digestOf } from '../../../platform/web/digest.ts'

/** The console is covered, and its session answers nothing, until the password was said again. What was being worked on stays behind the cover. */
const cover = valueOf(false)
export const locked = { ...cover, use: () => useSyncExternalStore(cover.follow, cover.get) }
/** Every tab of this browser has the same session. */
const others = new BroadcastChannel('lock')
others.onmessage = ({ data }) => locked.set(data === true)
onLocked(() => locked.set(true))

export async function lockNow() {
  await ask(lock.lock, {})
  locked.set(true)
  others.postMessage(true)
}

/** @throws Refusal with the tries that are left */
export async function unlock(password: string) {
  const digest = await digestOf(person.get()?.username ?? '', password)
  await ask(lock.unlock, { password: digest }, { quiet: true })
  locked.set(false)
  others.postMessage(false)
}

/** Resolves when the cover is gone. */
export const unlocked = () =>
  new Promise<void>((done) => {
    const look = () => {
      if (locked.get()) return
      leave()
      done()
    }
    const leave = locked.follow(look)
    look()
  })
