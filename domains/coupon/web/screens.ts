/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  PointsRuleScreen: () => import('./PointsRuleScreen.tsx'),
  PointsAccountScreen: () => import('./PointsAccountScreen.tsx'),
  PointsGoodsScreen: () => import('./PointsGoodsScreen.tsx'),
  CouponTemplateScreen: () => import('./TemplateScreen.tsx'),
  CouponCreditScreen: () => import('./MerchantCreditScreen.tsx'),
  CouponGoodsScreen: () => import('./GoodsScreen.tsx'),
  CouponStatisticsScreen: () => import('./CouponStatisticsScreen.tsx'),
  CouponAccountScreen: () => import('./MerchantAccountScreen.tsx'),
  CouponBillScreen: () => import('./SoldScreen.tsx'),
  CouponSendScreen: () => import('./CouponScreen.tsx'),
  OfflineRechargeScreen: () => import('./MerchantRechargeScreen.tsx'),
}
