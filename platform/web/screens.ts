import type { ComponentType } from 'react'

/** A domain's screens: the component name that the menu uses, and how the screen is loaded when it is first opened. */
export type Screens = Record<string, () => Promise<{ default: ComponentType }>>
