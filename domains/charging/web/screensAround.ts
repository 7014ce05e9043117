/** The screens around charges, by the component names of their menu. */
export const around = {
  ActivityScreen: () => import('./ActivityScreen.tsx'),
  RoamingScreen: () => import('./RoamingScreen.tsx'),
  PlatformScreen: () => import('./PlatformScreen.tsx'),
  StatementScreen: () => import('./StatementScreen.tsx'),
  PlatformReduceScreen: () => import('./PlatformReduceScreen.tsx'),
  MonitorScreen: () => import('./MonitorScreen.tsx'),
  LoadScreen: () => import('./LoadScreen.tsx'),
  ChargingMapScreen: () => import('./ChargingMapScreen.tsx'),
  FaultScreen: () => import('./FaultScreen.tsx'),
  DangerScreen: () => import('./DangerScreen.tsx'),
  IncomeAnalysisScreen: () => import('./IncomeAnalysisScreen.tsx'),
  OperateAnalysisScreen: () => import('./OperateAnalysisScreen.tsx'),
  PowerAnalysisScreen: () => import('./PowerAnalysisScreen.tsx'),
  FinanceAnalysisScreen: () => import('./FinanceAnalysisScreen.tsx'),
  DangerAnalysisScreen: () => import('./DangerAnalysisScreen.tsx'),
  ChargingScreen: () => import('./ChargingScreen.tsx'),
}
