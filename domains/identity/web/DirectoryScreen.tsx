import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Space } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Directory, directory, Encryption, linkSearch } from '../contract/directory.ts'
import { person } from '../contract/person.ts'
import { LinkForm, SetUpForm, TryDialog } from './DirectoryDialogs.tsx'

const CHANGES = [directory.get, directory.links]
const FIRST: Text = ['请先设置目录服务', 'Set up the directory first']

/** The company's own directory: how it is asked, whether that works, and whose accounts are tied to it. */
export default function DirectoryScreen() {
  const say = useText()
  const [doing, setDoing] = useState<'set-up' | 'try' | 'link'>()
  const { data, error, refetch } = useQuery(asks(directory.get, {}))
  const act = useAct(CHANGES)
  const may = can(directory.save.needs)
  const kept = data?.directory ?? undefined
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '企业自己的目录服务（LDAP）：已有人员可用目录账号登录，不会自动新建人员',
          'Your enterprise’s directory (LDAP): existing users can sign in with their directory account; no users are created',
        ]}
        above={
          <Section title={['目录服务', 'Directory']} aside={may && data && <Acts isSet={Boolean(kept)} open={setDoing} />}>
            {error && <Failed error={error as Refusal} retry={() => void refetch()} />}
            {!data && !error && <Waiting lines={2} />}
            {data && !kept && <p className="faint">{say(['尚未设置，登录页不显示目录登录', 'Not set up; the sign-in page does not offer it'])}</p>}
            {kept && <SetUp of={kept} />}
          </Section>
        }
        query={directory.links}
        search={linkSearch}
        find={['username', 'name']}
        columns={['username', 'name', 'createdAt']}
        empty={['还没有员工关联目录账号', 'No user is linked to a directory account yet']}
        toolbar={
          may &&
          can(person.queryPage.needs) && (
            <Button type="primary" icon={<PlusOutlined />} disabled={!kept} title={kept ? '' : say(FIRST)} onClick={() => setDoing('link')}>
              {say(['关联员工', 'Link a user'])}
            </Button>
          )
        }
        actions={(row) => [
          {
            text: ['解除关联', 'Unlink'],
            needs: directory.unlink.needs,
            danger: true,
            run: () =>
              void act(
                directory.unlink,
                { id: row.id },
                {
                  question: [`解除「${row.name}」的目录关联？`, `Unlink “${row.name}” from the directory?`],
                  act: ['解除关联', 'Unlink'],
                  done: ['已解除', 'Unlinked'],
                },
              ),
          },
        ]}
      />
      {doing === 'set-up' && <SetUpForm of={kept} changes={CHANGES} onClose={close} />}
      {doing === 'try' && <TryDialog onClose={close} />}
      {doing === 'link' && <LinkForm changes={CHANGES} onClose={close} />}
    </>
  )
}

function Acts({ isSet, open }: { isSet: boolean; open: (what: 'set-up' | 'try') => void }) {
  const say = useText()
  return (
    <Space>
      <Button onClick={() => open('set-up')}>{say(isSet ? Label.edit : ['设置', 'Set up'])}</Button>
      <Button disabled={!isSet} title={isSet ? '' : say(FIRST)} onClick={() => open('try')}>
        {say(['试查', 'Try'])}
      </Button>
    </Space>
  )
}

function SetUp({ of }: { of: Of<typeof Directory> }) {
  const say = useText()
  const server = `${of.host}:${of.port} · ${say(Encryption.entries[of.encryption])}`
  const attributes = [of.usernameAttribute, of.nameAttribute, of.mailAttribute].filter(Boolean).join(say(['、', ', ']))
  return (
    <div className="directory">
      <Facts
        entity={Directory}
        of={of}
        show={[
          'inUse',
          'name',
          { label: ['服务器', 'Server'], value: server },
          'bindDn',
          'baseDn',
          'filter',
          { label: ['属性', 'Attributes'], value: attributes },
          'byName',
        ]}
      />
    </div>
  )
}
