/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  FirmScreen: () => import('./EnterpriseScreen.tsx'),
  StaffScreen: () => import('./PersonScreen.tsx'),
  DepartmentScreen: () => import('./DepartmentScreen.tsx'),
  RoleScreen: () => import('./RoleScreen.tsx'),
  ResourceScreen: () => import('./ResourceScreen.tsx'),
  ApiKeyScreen: () => import('./ApiKeyScreen.tsx'),
  DirectoryScreen: () => import('./DirectoryScreen.tsx'),
  ButtonScreen: () => import('./ButtonScreen.tsx'),
}
