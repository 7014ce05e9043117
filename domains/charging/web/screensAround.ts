/** The screens around charges, by the component names of their menu. */
export const around = {
  ActivityScreen: () => import('./ActivityScreen.tsx'),
  RoamingScreen: () => import('./RoamingScreen.tsx'),
  PlatformScreen: () => import('./PlatformScreen.tsx'),
  StatementScreen: () => import('./StatementScreen.tsx'),
  PlatformReduceScreen: () => import('./PlatformReduceScreen.tsx'),
  MonitorScreen: () => import('./MonitorScreen.tsx'),
  LoadScreen: () => import('./LoadScreen.tsx'),
  ChargingMapScreen: () => import('./MapScreen.tsx'),
  FaultScreen: () => import('./FaultScreen.tsx'),
  DangerScreen: () => import('./DangerScreen.tsx'),
  IncomeAnalysisScreen: () => import('./IncomeAnalysisScreen.tsx'),
  OperateAnalysisScreen: () => import('./OperationAnalysisScreen.tsx'),
  PowerAnalysisScreen: () => import('./EnergyAnalysisScreen.tsx'),
  FinanceAnalysisScreen: () => import('./FinanceAnalysisScreen.tsx'),
  DangerAnalysisScreen: () => import('./DangerAnalysisScreen.tsx'),
  ChargingScreen: () => import('./ChargingWallScreen.tsx'),
}
