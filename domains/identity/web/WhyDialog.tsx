import { useQuery } from '@tanstack/react-query'
import { Alert, Form } from 'antd'
import { useId, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { TreeSelect } from '../../../platform/web/form/TreeSelect.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { access, type Explanation, type Needed } from '../contract/access.ts'
import { resource, type ResourceNode } from '../contract/resource.ts'

type Why = Of<typeof Explanation>

/** Why somebody sees a page and its buttons or does not, with the missing right and the roles that would give it. */
export default function WhyDialog({ of, onClose }: { of: { id: string; name: string }; onClose: () => void }) {
  const say = useText()
  const [resourceId, choose] = useState<string>()
  const tree = useQuery(asks(resource.queryTree, {}))
  const one = useQuery({ ...asks(access.explain, { personId: of.id, resourceId } as never), enabled: resourceId !== undefined })
  return (
    <Dialog changed={false} width="60%" footer={null} title={say([`权限诊断：${of.name}`, `Explain permissions: ${of.name}`])} onClose={onClose}>
      <Form name={useId()} className="dialog" labelCol={{ flex: '125px' }} labelWrap colon={false}>
        <Form.Item label={say(['菜单', 'Page'])} htmlFor="why-page">
          <TreeSelect
            id="why-page"
            showSearch={{ treeNodeFilterProp: 'title' }}
            placeholder={say(['选择看不到的页面', 'Choose a page they cannot see'])}
            waits={tree.isPending}
            treeData={branches(tree.data ?? [], (node) => say([node.name, node.nameEn]))}
            value={resourceId}
            onChange={choose}
          />
        </Form.Item>
      </Form>
      {one.isError ? (
        <Failed error={one.error as Refusal} retry={() => void one.refetch()} />
      ) : resourceId === undefined ? null : one.data ? (
        <Answer why={one.data} />
      ) : (
        <Waiting lines={4} />
      )}
    </Dialog>
  )
}

interface Branch {
  value: string
  title: string
  selectable: boolean
  children: Branch[]
}
const branches = (nodes: readonly ResourceNode[], nameOf: (node: ResourceNode) => string): Branch[] =>
  nodes.map((node) => ({
    value: node.id,
    title: nameOf(node),
    selectable: node.component !== '' && node.component !== 'layoutHeaderAside',
    children: branches(node.children, nameOf),
  }))

/** Everything that stands in the way, each as a sentence. */
function reasonsIn({ locked, mustChange, roles, hidden, retired, held, needs }: Why): Text[] {
  const lacking = needs.filter(({ has }) => !has).map(({ capability }) => capability)
  const all: (Text | false)[] = [
    locked && ['账号已锁定', 'The account is locked'],
    mustChange && ['须先修改密码，改完才有权限', 'The password must be changed first; until then there are no permissions'],
    roles.length === 0 && ['没有任何角色', 'The person has no role'],
    retired && ['本版本已不提供该页面', 'This release no longer includes the page'],
    hidden && ['该菜单被管理员隐藏', 'An administrator has hidden the menu'],
    !held && ['其角色没有勾选该菜单', 'None of the person’s roles includes the menu'],
    lacking.length > 0 && [`缺少页面所需权限：${lacking.join('、')}`, `Missing permissions for the page: ${lacking.join(', ')}`],
  ]
  return all.filter((one): one is Text => one !== false)
}

function Answer({ why }: { why: Why }) {
  const say = useText()
  const reasons = reasonsIn(why)
  return (
    <div className="why">
      <Alert
        showIcon
        type={why.sees ? 'success' : 'warning'}
        title={why.sees ? say(['能看到该页面', 'The page is visible']) : say(['看不到该页面', 'The page is not visible'])}
        description={
          reasons.length > 0 && (
            <ul>
              {reasons.map((reason) => (
                <li key={reason[1]}>{say(reason)}</li>
              ))}
            </ul>
          )
        }
      />
      <table className="lines">
        <thead>
          <tr>
            {(
              [
                ['页面与按钮', 'Page and buttons'],
                ['权限', 'Permission'],
                ['是否拥有', 'Held'],
                ['哪些角色可授予', 'Roles granting it'],
              ] satisfies Text[]
            ).map((head) => (
              <th key={head[1]}>{say(head)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {why.needs.map((needs) => (
            <Line key={needs.capability} name={['页面', 'Page']} needs={needs} />
          ))}
          {why.buttons.map(({ code, name, nameEn, needs }) => (
            <Line key={code} name={[name, nameEn]} needs={needs} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ name, needs: { capability, has, platformOnly, roles } }: { name: Text; needs: Of<typeof Needed> }) {
  const say = useText()
  return (
    <tr>
      <td>{say(name)}</td>
      <td>
        <code>{capability}</code>
      </td>
      <td>
        <span className={`state ${has ? 'success' : 'error'}`}>{say(has ? ['有', 'Yes'] : ['缺少', 'Missing'])}</span>
      </td>
      <td>
        {platformOnly
          ? say(['仅平台运营企业', 'Platform operator only'])
          : roles.join(say(['、', ', '])) || say(['没有角色包含它', 'No role includes it'])}
      </td>
    </tr>
  )
}
