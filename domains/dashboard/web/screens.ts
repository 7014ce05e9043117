/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  TodayScreen: () => import('./HomeScreen.tsx'),
  AssetDashboardScreen: () => import('./AssetDashboardScreen.tsx'),
  OperationDashboardScreen: () => import('./OperationDashboardScreen.tsx'),
  UserDashboardScreen: () => import('./OwnerDashboardScreen.tsx'),
  ActivityDashboardScreen: () => import('./CouponDashboardScreen.tsx'),
  WallLinkScreen: () => import('./WallLinkScreen.tsx'),
  RoadWallScreen: () => import('./RoadWallScreen.tsx'),
  GalleryListsScreen: () => import('./gallery/GalleryListsScreen.tsx'),
  GalleryDialogsScreen: () => import('./gallery/GalleryDialogsScreen.tsx'),
  GalleryPartsScreen: () => import('./gallery/GalleryPartsScreen.tsx'),
}
