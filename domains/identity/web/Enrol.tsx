import { Alert, Button, Form, Input, QRCode, Typography } from 'antd'
import { useEffect, useId, useState } from 'react'
import { ask, Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { digestOf } from '../../../platform/web/digest.ts'
import { person } from '../../../platform/web/person.ts'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { secondFactor } from '../contract/secondFactor.ts'
import './identity.css'

interface Props {
  onClose: () => void
  /** Whether enrolment cannot be put off: closing is signing out. */
  must?: boolean
  onLeave?: () => void
}
type Step = { what: 'password' } | { what: 'scan'; secret: string; uri: string } | { what: 'keep'; codes: readonly string[] }
/** The server's word for: the sign-in is too old, give the password. */
const PASSWORD_NEEDED = 40206

/** From nothing to a second factor: scan, type the first code, keep the recovery codes. */
export default function Enrol({ onClose, must = false, onLeave }: Props) {
  const say = useText()
  const { step, refused, running, begin, confirm } = useEnrolment()
  const done = step?.what === 'keep'
  return (
    <Dialog
      changed={false}
      width={560}
      closable={!must && !done}
      keyboard={!must && !done}
      mask={{ closable: false }}
      title={say(['启用动态验证码', 'Enable second factor'])}
      onClose={onClose}
      footer={
        done ? (
          <Button type="primary" onClick={onClose}>
            {say(['我已保存恢复码', 'I have saved the codes'])}
          </Button>
        ) : must ? (
          <Button onClick={onLeave}>{say(['退出登录', 'Log out'])}</Button>
        ) : (
          <Button onClick={onClose}>{say(['取消', 'Cancel'])}</Button>
        )
      }
    >
      {must && !done && (
        <Alert
          showIcon
          className="refused"
          type="info"
          title={say([
            '您的角色或企业要求动态验证码，启用后才能开始工作。',
            'Your role or enterprise requires a second factor. Enable it to start working.',
          ])}
        />
      )}
      {refused && <Alert showIcon className="refused" type="error" title={refused} />}
      {!step && !refused && <Waiting lines={4} />}
      {step?.what === 'password' && <AskPassword running={running} onGiven={(password) => void begin(password)} />}
      {step?.what === 'scan' && <Scan {...step} running={running} onCode={(code) => void confirm(code)} />}
      {step?.what === 'keep' && <KeepCodes codes={step.codes} />}
    </Dialog>
  )
}

/** The steps, each taken when the server has agreed; a refusal is shown, and a request for the password is a step too. */
function useEnrolment() {
  const [step, setStep] = useState<Step>()
  const [refused, setRefused] = useState<string>()
  const [running, setRunning] = useState(false)
  const tried = async <R,>(work: () => Promise<R>, then: (reply: R) => void) => {
    setRunning(true)
    setRefused(undefined)
    try {
      then(await work())
    } catch (error) {
      if (error instanceof Refusal && error.code === PASSWORD_NEEDED) setStep({ what: 'password' })
      else setRefused((error as Error).message)
    } finally {
      setRunning(false)
    }
  }
  const begin = (password?: string) =>
    tried(
      async () => ask(secondFactor.begin, password ? { password: await digestOf(person.get()!.username, password) } : {}, { quiet: true }),
      (made) => setStep({ what: 'scan', ...made }),
    )
  useEffect(() => {
    const first = setTimeout(() => void begin())
    return () => clearTimeout(first)
  }, [])
  const confirm = (code: string) =>
    tried(
      () => ask(secondFactor.confirm, { code }, { quiet: true }),
      ({ recoveryCodes }) => setStep({ what: 'keep', codes: recoveryCodes }),
    )
  return { step, refused, running, begin, confirm }
}

function AskPassword({ running, onGiven }: { running: boolean; onGiven: (password: string) => void }) {
  const say = useText()
  return (
    <Form name={useId()} layout="vertical" onFinish={({ password }: { password: string }) => onGiven(password)}>
      <p>{say(['登录已超过 5 分钟，请先输入密码。', 'You signed in more than 5 minutes ago. Enter your password first.'])}</p>
      <Form.Item name="password" label={say(['密码', 'Password'])} rules={[{ required: true, message: say(['请填写密码', 'Enter your password']) }]}>
        <Input.Password autoFocus autoComplete="current-password" maxLength={128} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={running}>
        {say(['继续', 'Continue'])}
      </Button>
    </Form>
  )
}

function Scan({ secret, uri, running, onCode }: { secret: string; uri: string; running: boolean; onCode: (code: string) => void }) {
  const say = useText()
  return (
    <div className="enrol">
      <QRCode value={uri} size={184} bordered={false} color="#000" bgColor="#fff" aria-label={say(['二维码', 'QR code'])} />
      <div>
        <ol>
          <li>{say(['用手机的身份验证器应用扫描二维码', 'Scan the QR code with the authenticator app on your phone'])}</li>
          <li>
            {say(['不能扫描时，手动输入密钥', 'If you cannot scan, enter the secret'])}
            <Typography.Paragraph copyable={{ text: secret }}>
              <code>{secret.match(/.{1,4}/g)!.join(' ')}</code>
            </Typography.Paragraph>
          </li>
          <li>{say(['输入应用显示的 6 位验证码', 'Enter the 6-digit code shown in the app'])}</li>
        </ol>
        <CodeForm running={running} act={say(['启用', 'Enable'])} onCode={onCode} />
      </div>
    </div>
  )
}

/** One line for a code; `recovery` takes a recovery code as well. */
export function CodeForm({
  running,
  act,
  recovery = false,
  danger = false,
  onCode,
}: {
  running: boolean
  act: string
  recovery?: boolean
  danger?: boolean
  onCode: (code: string) => void
}) {
  const say = useText()
  const form = recovery ? /^[0-9A-Za-z -]{6,16}$/ : /^\d{6}$/
  return (
    <Form name={useId()} layout="inline" onFinish={({ code }: { code: string }) => onCode(code.trim())}>
      <Form.Item
        name="code"
        normalize={(text: string) => (recovery ? text : text.replace(/\D/g, '').slice(0, 6))}
        rules={[
          {
            required: true,
            pattern: form,
            message: recovery ? say(['请输入验证码或恢复码', 'Enter a code or recovery code']) : say(['请输入 6 位验证码', 'Enter the 6-digit code']),
          },
        ]}
      >
        <Input
          autoFocus
          autoComplete="one-time-code"
          maxLength={16}
          style={{ width: recovery ? 180 : 120 }}
          aria-label={say(['验证码', 'Code'])}
          placeholder={recovery ? say(['验证码或恢复码', 'Code or recovery code']) : '000000'}
        />
      </Form.Item>
      <Button type="primary" danger={danger} htmlType="submit" loading={running}>
        {act}
      </Button>
    </Form>
  )
}

/** Shown this once: with each one can sign in once without the telephone. */
export function KeepCodes({ codes }: { codes: readonly string[] }) {
  const say = useText()
  return (
    <>
      <Alert
        showIcon
        type="warning"
        className="refused"
        title={say([
          '恢复码只显示这一次。手机丢失时，每个可代替验证码登录一次。',
          'The recovery codes are shown only once. If you lose your phone, each one signs you in once.',
        ])}
      />
      <Typography.Paragraph copyable={{ text: codes.join('\n') }} className="recovery">
        {codes.map((code) => (
          <code key={code}>{code}</code>
        ))}
      </Typography.Paragraph>
    </>
  )
}
