/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  MonthInfoScreen: () => import('./MonthInfoScreen.tsx'),
  MonthPayScreen: () => import('./MonthPayScreen.tsx'),
  MonthConfigScreen: () => import('./MonthConfigScreen.tsx'),
  WhiteScreen: () => import('./WhiteScreen.tsx'),
  FreeCarScreen: () => import('./FreeCarScreen.tsx'),
  StaffCarScreen: () => import('./StaffCarScreen.tsx'),
  BlackScreen: () => import('./BlackScreen.tsx'),
  AdmittanceScreen: () => import('./AdmittanceScreen.tsx'),
  LongRentScreen: () => import('./LongRentScreen.tsx'),
  CardVipScreen: () => import('./CardVipScreen.tsx'),
  CardConfigScreen: () => import('./CardConfigScreen.tsx'),
  FirmBlackScreen: () => import('./FirmBlackScreen.tsx'),
  FirmWhiteScreen: () => import('./FirmWhiteScreen.tsx'),
}
