/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = { LedgerScreen: () => import('./AccountScreen.tsx') }
