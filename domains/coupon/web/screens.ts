/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  PointsRuleScreen: () => import('./PointsRuleScreen.tsx'),
  PointsAccountScreen: () => import('./PointsAccountScreen.tsx'),
  PointsGoodsScreen: () => import('./PointsGoodsScreen.tsx'),
  CouponTemplateScreen: () => import('./TemplateScreen.tsx'),
  CouponCreditScreen: () => import('./CreditScreen.tsx'),
  CouponGoodsScreen: () => import('./GoodsScreen.tsx'),
  CouponStatisticsScreen: () => import('./StatisticsScreen.tsx'),
  CouponAccountScreen: () => import('./AccountScreen.tsx'),
  CouponBillScreen: () => import('./BillScreen.tsx'),
  CouponSendScreen: () => import('./SendScreen.tsx'),
  OfflineRechargeScreen: () => import('./OfflineRechargeScreen.tsx'),
}
