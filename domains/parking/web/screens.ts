/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  LocationScreen: () => import('./LocationScreen.tsx'),
  RelatedScreen: () => import('./RelatedScreen.tsx'),
  LedScreen: () => import('./LedScreen.tsx'),
  ParkWallScreen: () => import('./ParkWallScreen.tsx'),
  ParkScreen: () => import('./ParkScreen.tsx'),
  QrcodeScreen: () => import('./QrcodeScreen.tsx'),
  GateScreen: () => import('./GateScreen.tsx'),
  PresentScreen: () => import('./PresentScreen.tsx'),
  StayScreen: () => import('./StayScreen.tsx'),
  AbnormalScreen: () => import('./AbnormalScreen.tsx'),
  ThirdRecordScreen: () => import('./ThirdRecordScreen.tsx'),
  ParkMapScreen: () => import('./ParkMapScreen.tsx'),
  FilingScreen: () => import('./FilingScreen.tsx'),
  CallOutScreen: () => import('./CallOutScreen.tsx'),
  PassTimeScreen: () => import('./PassTimeScreen.tsx'),
  LaneBoardScreen: () => import('./LaneBoardScreen.tsx'),
}
