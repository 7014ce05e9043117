/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  MonthInfoScreen: () => import('./CustomerTodayScreen.tsx'),
  MonthPayScreen: () => import('./AmountScreen.tsx'),
  MonthConfigScreen: () => import('./GroupPlanScreen.tsx'),
  WhiteScreen: () => import('./WhiteScreen.tsx'),
  FreeCarScreen: () => import('./FreeCarScreen.tsx'),
  StaffCarScreen: () => import('./StaffCarScreen.tsx'),
  BlackScreen: () => import('./BlackScreen.tsx'),
  AdmittanceScreen: () => import('./AccessRuleScreen.tsx'),
  LongRentScreen: () => import('./PlanScreen.tsx'),
  CardVipScreen: () => import('./CustomerScreen.tsx'),
  CardConfigScreen: () => import('./GroupScreen.tsx'),
  FirmBlackScreen: () => import('./BlackCarScreen.tsx'),
  FirmWhiteScreen: () => import('./WhiteCarScreen.tsx'),
}
