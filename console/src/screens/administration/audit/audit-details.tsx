import { Code, Modal, Table } from '@mantine/core'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { parts } from '../parts/messages.ts'
import { useOperationName } from '../parts/operations.ts'
import type { AuditEvent } from './audit-screen.tsx'
import { useNames } from './in-words.ts'
import { audit } from './messages.ts'

export function AuditDetails({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const t = useMessages(audit)
  const { close, none } = useMessages(parts)
  const formats = useFormats()
  const nameOf = useOperationName()
  const names = useNames([event])
  const lines = [
    [t.time, `${formats.moment(event.occurredAt)} (${event.occurredAt.toISOString()})`],
    [t.who, names.who(event)],
    [t.whom, names.whom(event)],
    [t.outcome, t.outcomes[event.outcome]],
    [t.code, event.code],
    [t.address, event.ip],
    [t.operationId, event.operation],
    [t.requestId, event.requestId],
  ] as const
  return (
    <Modal opened onClose={onClose} title={nameOf(event.operation)} closeButtonProps={{ 'aria-label': close }}>
      <Table>
        <Table.Tbody>
          {lines.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" w={130}>
                {label}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {label === t.requestId || label === t.operationId ? <Code>{value}</Code> : (value ?? none)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
