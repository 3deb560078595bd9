import { Button } from '@mantine/core'
import { DownloadIcon } from '@primer/octicons-react'
import { useMutation } from '@tanstack/react-query'
import { notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { useOrganization } from '../../frame/person.ts'
import { saveFile } from '../../frame/save-file.ts'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { patients } from './messages.ts'
import { listed, STATES } from './search.ts'

/** All patients as a file, or those in the states that the list is limited to. */
export function ExportButton({ state }: { state: string | undefined }) {
  const t = useMessages(patients)
  const { id: organizationId } = useOrganization()
  const exporting = useMutation({
    mutationFn: async () => {
      const states = listed(state, STATES)
      const filter = states.length > 0 ? { state: states } : {}
      await saveFile(await almoner.exportPatients({ organizationId, filter }))
    },
    onSuccess: () => notifyDone(t.exported),
    onError: notifyFailure,
  })
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      {t.export}
    </Button>
  )
}
