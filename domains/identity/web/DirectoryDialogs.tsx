import { Form, Input } from 'antd'
import { useState } from 'react'
import type { Call } from '../../../platform/contract/call.ts'
import type { Of, Schema } from '../../../platform/contract/field.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { type Directory, directory, Encryption, LookUp } from '../contract/directory.ts'
import { PersonSelect } from './pickers.tsx'

interface Props {
  changes: readonly Call<any, any>[]
  onClose: () => void
}
type Written = Of<typeof directory.save.input>
const WRITTEN: Schema<Written> = directory.save.input
/** As most directories are asked; Active Directory has other names for some of it. */
const FIRST: Partial<Written> = {
  version: 0,
  inUse: true,
  port: 636,
  encryption: Encryption.ldaps,
  filter: '(uid={name})',
  usernameAttribute: 'uid',
  nameAttribute: 'displayName',
  mailAttribute: 'mail',
  byName: true,
}

/** Long, but of one line. */
const LINE = <Input allowClear />

/** The settings of the directory. Its password is never shown again. */
export function SetUpForm({ of, changes, onClose }: Props & { of: Of<typeof Directory> | undefined }) {
  return (
    <FormDialog<Written, Written>
      title={['设置目录服务', 'Set up the directory']}
      entity={WRITTEN}
      mode={of ? 'edit' : 'new'}
      value={of ?? FIRST}
      save={directory.save}
      done={['已保存，可用「试查」检查', 'Saved; use “Try” to check it']}
      changes={changes}
      onClose={onClose}
      fields={[
        {
          name: 'inUse',
          section: ['登录页', 'Sign-in page'],
          help: ['启用后登录页显示「使用（名称）登录」', 'When in use, the sign-in page offers “Sign in with (name)”'],
        },
        { name: 'name', help: ['登录页上显示，如 公司域账号', 'Shown on the sign-in page, such as Company account'] },
        { name: 'host', section: ['连接', 'Connection'] },
        { name: 'encryption', half: true },
        { name: 'port', half: true, help: ['LDAPS 通常为 636，StartTLS 为 389', 'Usually 636 for LDAPS, 389 for StartTLS'] },
        {
          name: 'ca',
          help: ['服务器证书不是公共机构签发时填写（PEM）', 'Needed where no public authority has signed the server’s certificate (PEM)'],
        },
        {
          name: 'bindDn',
          section: ['查找', 'Search'],
          control: LINE,
          help: ['只需查找权限，如 cn=reader,dc=example,dc=com', 'Needs no more than the right to search, such as cn=reader,dc=example,dc=com'],
        },
        {
          name: 'secret',
          secret: true,
          help: of
            ? ['已设；不填则不变，填写则替换', 'Already set; leave empty to keep it, or enter a new one']
            : ['保存后不再显示', 'Not shown again after saving'],
          ...(!of && { needed: true as const }),
        },
        {
          name: 'baseDn',
          control: LINE,
          help: ['从这里往下查找，如 ou=people,dc=example,dc=com', 'Searched from here down, such as ou=people,dc=example,dc=com'],
        },
        {
          name: 'filter',
          control: LINE,
          help: [
            '{name} 为登录时输入的账号；Active Directory 用（sAMAccountName={name}）',
            '{name} is what was typed at the sign-in; for Active Directory (sAMAccountName={name})',
          ],
        },
        { name: 'usernameAttribute', section: ['属性与关联', 'Attributes and links'], half: true },
        { name: 'nameAttribute', half: true },
        { name: 'mailAttribute', half: true },
        {
          name: 'byName',
          help: [
            '开启：首次登录时，目录的用户名与本平台用户名相同的员工自动关联；关闭：只有已关联的员工能登录',
            'On: at the first sign-in, a user whose username here equals the directory’s is linked. Off: only linked users can sign in',
          ],
        },
      ]}
    />
  )
}

export function LinkForm({ changes, onClose }: Props) {
  return (
    <FormDialog
      title={['关联员工', 'Link a user']}
      entity={LINK}
      mode="new"
      value={{}}
      save={directory.link}
      act={['关联', 'Link']}
      done={['已关联', 'Linked']}
      changes={changes}
      onClose={onClose}
      fields={[
        { name: 'custId', control: <PersonSelect /> },
        { name: 'account', help: ['登录时输入的账号；将在目录中查找', 'What they type to sign in; it is looked up in the directory'] },
      ]}
    />
  )
}
const LINK = directory.link.input

/** Looks a person up as a sign-in would, and shows the result; the dialog stays for another try. */
export function TryDialog({ onClose }: { onClose: () => void }) {
  const say = useText()
  const [said, setSaid] = useState<Of<typeof directory.try.reply>>()
  const [account, setAccount] = useState('')
  const [busy, setBusy] = useState(false)
  const act = useAct([])
  const look = async () => {
    if (!account) return
    setBusy(true)
    setSaid(undefined)
    await act(directory.try, { account }, { answered: setSaid })
    setBusy(false)
  }
  return (
    <Dialog
      changed={account !== '' && !said}
      width={560}
      title={say(['试查目录服务', 'Try the directory'])}
      okText={say(['查找', 'Look up'])}
      cancelText={say(['关闭', 'Close'])}
      confirmLoading={busy}
      okButtonProps={{ disabled: !account }}
      onOk={() => void look()}
      onClose={onClose}
    >
      <Form layout="vertical" className="dialog">
        <Form.Item
          label={say(['目录账号', 'Directory account'])}
          htmlFor="directory-account"
          extra={say(['某位员工登录时输入的账号，不需要其密码', 'What one of your users types to sign in; their password is not needed'])}
        >
          <Input
            id="directory-account"
            autoFocus
            value={account}
            maxLength={64}
            onChange={({ target }) => setAccount(target.value.trim())}
            onPressEnter={() => void look()}
          />
        </Form.Item>
      </Form>
      {said && (
        <div role="status">
          <p>
            <State dictionary={LookUp} value={said.result} /> <span className="faint">{said.ms} ms</span>
          </p>
          {said.answer && <p className="faint directory-answer">{said.answer}</p>}
          {said.result === LookUp.found && <Facts entity={directory.try.reply} of={said} show={FOUND} />}
          {said.result === LookUp.found && !said.person && (
            <p className="faint">{say(['本平台没有对应的员工，此账号还不能登录', 'No user here matches, so this account cannot sign in yet'])}</p>
          )}
        </div>
      )}
    </Dialog>
  )
}
const FOUND = ['dn', 'username', 'name', 'email', 'person'] as const
