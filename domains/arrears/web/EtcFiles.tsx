import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { ask, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { etc, type EtcFile } from '../contract/etc.ts'
import { DEBT_CHANGES } from './changes.ts'
import { EtcFileList } from './EtcFileList.tsx'

/** Takes the issuer's clearing file. */
export function EtcFiles() {
  const say = useText()
  const cache = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const sending = useMutation<Of<typeof EtcFile>, Refusal, File>({
    mutationFn: (file) => ask(etc.fileImport, { file } as never, { key: newKey() }),
    onSuccess: async (done) => {
      await Promise.all(
        [...DEBT_CHANGES, etc.fileList, etc.escape, etc.refund, etc.overview].map((call) => cache.invalidateQueries({ queryKey: [call.id] })),
      )
      toast('success', [
        `${done.fileNo}：一致 ${done.matched}，补记成功 ${done.settled}，补记失败 ${done.failed}，不符 ${done.differing}，长款 ${done.surplus}`,
        `${done.fileNo}: ${done.matched} matched, ${done.settled} settled, ${done.failed} failed, ${done.differing} differing, ${done.surplus} surplus`,
      ])
    },
  })
  const [listed, setListed] = useState(false)
  return (
    <>
      {can(etc.fileList.needs) && <Button onClick={() => setListed(true)}>{say(['清分文件', 'Clearing files'])}</Button>}
      {listed && <EtcFileList onClose={() => setListed(false)} />}
      <input
        ref={field}
        type="file"
        accept=".csv"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) sending.mutate(file)
          target.value = ''
        }}
      />
      <Act
        text={['导入清分文件', 'Import clearing file']}
        needs={etc.fileImport.needs}
        loading={sending.isPending}
        onClick={() => field.current?.click()}
      />
    </>
  )
}
