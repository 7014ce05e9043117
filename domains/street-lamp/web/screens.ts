/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  LampScreen: () => import('./LampScreen.tsx'),
  LampTimerScreen: () => import('./TimerScreen.tsx'),
  LampBoxScreen: () => import('./BoxScreen.tsx'),
  LampMapScreen: () => import('./BoxMapScreen.tsx'),
  LampControlScreen: () => import('./WiringSwitchingScreen.tsx'),
  LampLineScreen: () => import('./WiringScreen.tsx'),
}
