import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../language/language.ts'
import { frame } from './messages.ts'
import { Screen } from './screen.tsx'

export function NotFound() {
  const t = useMessages(frame)
  return <Dead title={t.notFound} hint={t.notFoundHint} />
}

export function NotAllowed() {
  const t = useMessages(frame)
  return <Dead title={t.notAllowed} hint={t.notAllowedHint} />
}

function Dead({ title, hint }: { title: string; hint: string }) {
  const t = useMessages(frame)
  return (
    <Screen title={title}>
      <Text c="dimmed" mb="md">
        {hint}
      </Text>
      <Button component={Link} to="/" variant="default">
        {t.home}
      </Button>
    </Screen>
  )
}
