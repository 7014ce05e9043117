/** By these names people know the thing that a call is about. A closed list: whatever else is sent may be a secret. */
export const TARGET_NAMES = {
  id: ['编号', 'Id'],
  ids: ['编号', 'Ids'],
  name: ['名称', 'Name'],
  title: ['标题', 'Title'],
  username: ['用户名', 'Username'],
  parkCode: ['车场', 'Car park'],
  gateCode: ['通道', 'Lane'],
  areaCode: ['区域', 'Area'],
  seatCode: ['泊位', 'Bay'],
  deviceNo: ['设备', 'Device'],
  plateNo: ['车牌', 'Plate'],
  orderNo: ['订单', 'Order'],
  ruleId: ['规则', 'Rule'],
  stayId: ['停车记录', 'Stay'],
  orderId: ['订单', 'Order'],
  roleId: ['角色', 'Role'],
  personId: ['人员', 'Person'],
  departmentId: ['部门', 'Department'],
  resourceId: ['资源', 'Resource'],
  regulationId: ['法规', 'Regulation'],
  categoryEn: ['字典类型', 'Dictionary'],
  url: ['地址', 'Address'],
  status: ['状态', 'Status'],
} as const

/** The target of a line of the operation log in the reader's words: `parkCode=P001 name=东门` becomes 车场 P001 · 名称 东门. */
export const targetWords = (text: string, say: (name: readonly [zh: string, en: string]) => string): string =>
  targetIn(text)
    .map(({ name, value }) => (name ? `${say(name)} ${value}` : value))
    .join(' · ')

/** Part by part. A text that is not made so is one part without a name. */
function targetIn(text: string): { name?: readonly [zh: string, en: string]; value: string }[] {
  const found = [...text.matchAll(/(?:^| )(\w+)=/g)].filter(([, name]) => Object.hasOwn(TARGET_NAMES, name!))
  if (found[0]?.index !== 0) return [{ value: text }]
  return found.map((match, at) => ({
    name: TARGET_NAMES[match[1] as keyof typeof TARGET_NAMES],
    value: text.slice(match.index + match[0].length, found[at + 1]?.index),
  }))
}
