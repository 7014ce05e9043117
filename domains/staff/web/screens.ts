/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  StaffDashboardScreen: () => import('./DashboardScreen.tsx'),
  CollectorScreen: () => import('./CollectorScreen.tsx'),
  HandheldScreen: () => import('./HandheldScreen.tsx'),
  WorkGroupScreen: () => import('./WorkGroupScreen.tsx'),
  RosterScreen: () => import('./RosterScreen.tsx'),
  AttendanceScreen: () => import('./AttendanceScreen.tsx'),
  AttendanceStatisticsScreen: () => import('./AttendanceStatisticsScreen.tsx'),
  MyTillScreen: () => import('./TillMineScreen.tsx'),
  CollectionScreen: () => import('./TillScreen.tsx'),
  StaffTodayScreen: () => import('./TrackerScreen.tsx'),
  WorkLogScreen: () => import('./WorkLogScreen.tsx'),
  WorkWarningScreen: () => import('./WorkWarningScreen.tsx'),
  WarningStatisticsScreen: () => import('./WorkWarningStatisticsScreen.tsx'),
  WorkWarningRuleScreen: () => import('./WorkWarningRuleScreen.tsx'),
  WorkShiftScreen: () => import('./WorkShiftScreen.tsx'),
}
