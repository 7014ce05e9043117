/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  RoamingScreen: () => import('./RoamingScreen.tsx'),
  PlatformScreen: () => import('./PlatformScreen.tsx'),
  PlatformReduceScreen: () => import('./PlatformReduceScreen.tsx'),
  StatementScreen: () => import('./StatementScreen.tsx'),
}
