import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { screens } from './screens.ts'

/** A part of the console that has not come by then has failed. */
export const PART_TIMEOUT_MS = 120_000

/** The menu names a screen that this release does not have. */
export class ModuleNotFound extends Error {
  constructor(component: string) {
    super(`Cannot find module '${component}'`)
    this.name = 'ModuleNotFound'
  }
}
type Loader = () => Promise<{ default: ComponentType }>

const made = new Map<string, LazyExoticComponent<ComponentType>>()
/** The screen of a component name, loaded when it is first shown. */
export function screenNamed(component: string): LazyExoticComponent<ComponentType> {
  let screen = made.get(component)
  if (!screen) made.set(component, (screen = lazy(inTime(loaderOf(component)))))
  return screen
}
/** Forgets a screen that failed to load, so that it is tried again. */
export const forgetScreen = (component: string) => void made.delete(component)

const own: Record<string, Loader> = { HomeScreen: () => import('./HomeScreen.tsx') }
export const loaderOf =
  (component: string): Loader =>
  async () => {
    const load = screens[component] ?? own[component]
    if (!load) throw new ModuleNotFound(component)
    return load()
  }

export const inTime =
  <T>(load: () => Promise<T>, ms = PART_TIMEOUT_MS) =>
  () =>
    new Promise<T>((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`Loading took more than ${ms / 1000} s`)), ms)
      load()
        .then(done, failed)
        .finally(() => clearTimeout(timer))
    })
