/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  TodayScreen: () => import('./TodayScreen.tsx'),
  GalleryListsScreen: () => import('./gallery/GalleryListsScreen.tsx'),
  GalleryDialogsScreen: () => import('./gallery/GalleryDialogsScreen.tsx'),
  GalleryPartsScreen: () => import('./gallery/GalleryPartsScreen.tsx'),
}
