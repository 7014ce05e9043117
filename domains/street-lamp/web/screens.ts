/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  LampScreen: () => import('./LampScreen.tsx'),
  LampTimerScreen: () => import('./LampTimerScreen.tsx'),
  LampBoxScreen: () => import('./LampBoxScreen.tsx'),
  LampMapScreen: () => import('./LampMapScreen.tsx'),
  LampControlScreen: () => import('./LampControlScreen.tsx'),
  LampLineScreen: () => import('./LampLineScreen.tsx'),
}
