/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  ParkScreen: () => import('./ParkScreen.tsx'),
  GateScreen: () => import('./GateScreen.tsx'),
  PresentScreen: () => import('./PresentScreen.tsx'),
  StayScreen: () => import('./StayScreen.tsx'),
  AbnormalScreen: () => import('./AbnormalScreen.tsx'),
  LaneBoardScreen: () => import('./LaneBoardScreen.tsx'),
}
