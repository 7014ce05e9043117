import type { Generated, JSONColumnType } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Button } from '../contract/button.ts'
import type { Directory, DirectoryLink } from '../contract/directory.ts'

interface Row {
  version: Generated<number>
  createdAt: Generated<Instant>
  updatedAt: Generated<Instant>
}
export interface EnterpriseRow extends Row {
  id: number
  name: string
  parentId: number | null
  platform: Generated<boolean>
  secondFactor: Generated<boolean>
  contact: string | null
  phone: string | null
  address: string | null
  status: Generated<number>
}
export interface DepartmentRow extends Row {
  id: Generated<string>
  enterpriseId: Generated<number>
  parentId: string | null
  name: string
  code: string | null
  sort: Generated<number>
  parks: Generated<string[]>
}
export interface PersonRow extends Row {
  id: Generated<string>
  enterpriseId: Generated<number>
  departmentId: string | null
  username: string
  name: string
  staffNo: string | null
  phone: string | null
  email: string | null
  passwordHash: string
  passwordAt: Generated<Instant>
  mustChange: Generated<boolean>
  demo: Generated<boolean>
  lockState: Generated<number>
  failures: Generated<number>
  lockedUntil: Instant | null
  remark: string | null
}
export interface RoleRow extends Row {
  id: Generated<string>
  enterpriseId: Generated<number>
  name: string
  remark: string | null
  grants: Generated<number>
  dataScope: Generated<number>
  parks: Generated<string[]>
  builtIn: Generated<boolean>
  secondFactor: Generated<boolean>
}
export interface ResourceRow extends Row {
  id: Generated<string>
  parentId: string | null
  url: string
  name: string
  nameEn: string
  component: Generated<string>
  funcCode: Generated<string>
  icon: string | null
  level: Generated<number>
  sort: Generated<number>
  hidden: Generated<boolean>
  retired: Generated<boolean>
  needs: Generated<string[]>
  shipped: JSONColumnType<Record<string, unknown>> | null
}
export interface ButtonRow extends Row {
  id: Generated<string>
  resourceId: string
  code: string
  name: string
  nameEn: string
  type: Generated<number>
  capability: string
  retired: Generated<boolean>
  shipped: JSONColumnType<Record<string, unknown>> | null
}
export interface ApiKeyRow extends Row {
  id: Generated<string>
  enterpriseId: Generated<number>
  personId: string
  name: string
  prefix: string
  keyHash: Buffer
  capabilities: string[]
  expiresAt: Instant
  lastUsedAt: Generated<Instant | null>
  lastIp: Generated<string | null>
  revokedAt: Generated<Instant | null>
  revokedBy: Generated<string | null>
}
export interface SessionRow {
  id: Generated<string>
  enterpriseId: number
  personId: string
  loginType: number
  ip: string
  browser: string | null
  userSystem: string | null
  startedAt: Generated<Instant>
  seenAt: Generated<Instant>
  expiresAt: Instant
  endedAt: Instant | null
  endedBy: string | null
  acting: number | null
}

export interface PreferenceRow {
  enterpriseId: Generated<number>
  personId: string
  name: string
  value: JSONColumnType<object>
  updatedAt: Generated<Instant>
}
export interface ViewRow extends Row {
  id: Generated<string>
  enterpriseId: Generated<number>
  personId: string
  list: string
  name: string
  shared: Generated<boolean>
  criteria: JSONColumnType<object>
}

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'identity.enterprise': EnterpriseRow
    'identity.department': DepartmentRow
    'identity.person': PersonRow
    'identity.role': RoleRow
    'identity.personRole': { enterpriseId: Generated<number>; personId: string; roleId: string }
    'identity.heldRole': { enterpriseId: number; personId: string; roleId: string }
    'identity.resource': ResourceRow
    'identity.button': ButtonRow
    'identity.roleResource': { enterpriseId: Generated<number>; roleId: string; resourceId: string }
    'identity.roleButton': { enterpriseId: Generated<number>; roleId: string; buttonId: string }
    'identity.capability': { code: string; platformOnly: Generated<boolean> }
    'identity.session': SessionRow
    'identity.preference': PreferenceRow
    'identity.view': ViewRow
    'identity.apiKey': ApiKeyRow
    'identity.apiKeyOf': Omit<ApiKeyRow, 'keyHash' | 'updatedAt'> & { personName: string; state: number }
    'identity.oneTimeCode': { codeHash: Buffer; enterpriseId: number; personId: string; sessionId: string; expiresAt: Instant }
    'identity.directory': Omit<Of<typeof Directory>, 'version' | 'updatedAt'> & Row & { enterpriseId: Generated<number>; secret: string }
    'identity.oidcSubject': { enterpriseId: Generated<number>; issuer: string; subject: string; personId: string; createdAt: Generated<Instant> }
    'identity.directoryLink': Of<typeof DirectoryLink> & { enterpriseId: number }
    'identity.clickRecord': { id: Generated<string>; enterpriseId: Generated<number>; personId: string; resourceId: string; at: Generated<Instant> }
    'identity.buttonOfMenu': Of<typeof Button>
    'identity.staff': Omit<PersonRow, 'passwordHash' | 'failures' | 'lockedUntil' | 'passwordAt'> & {
      departmentName: string | null
      roles: { id: string; name: string }[]
      secondFactor: boolean
    }
  }
}
