import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a screen, with a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} bd="1px solid var(--almoner-line)">
      <Title order={2} id={id} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  )
}
