import { createContext } from 'react'

/** Opened by a link that shows walls alone: there is nobody who could open a list or ask what a figure counts. */
export const Still = createContext(false)
