import { Button, Text, Title } from '@mantine/core'
import { BroadcastIcon } from '@primer/octicons-react'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../frame/person.ts'
import { useMessages } from '../../language/language.ts'
import { PushExample } from '../administration/service-accounts/push-example.tsx'
import { patient as texts } from './messages.ts'

/** Where the first ones come from. */
export function NoReadings({ individualId }: { individualId: string }) {
  const t = useMessages(texts)
  const mayConnect = useMay('org-admin')
  return (
    <div>
      <Text fw={600}>{t.noReadings}</Text>
      <Text size="sm" c="dimmed" maw={640}>
        {mayConnect ? t.noReadingsHint : t.noReadingsAsk}
      </Text>
      {mayConnect && (
        <>
          <Button
            renderRoot={(props) => (
              <Link {...props} to="/administration/service-accounts" search={{ patient: individualId }} />
            )}
            variant="default"
            size="xs"
            mt="sm"
            leftSection={<BroadcastIcon />}
          >
            {t.connectDevice}
          </Button>
          <Title order={3} mt="lg" mb={4}>
            {t.howDevices}
          </Title>
          <PushExample individualId={individualId} />
        </>
      )}
    </div>
  )
}
