// What every screen begins with: its heading, which gets the focus when someone comes here, and its actions.

import { Box, Group, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { arrive } from './arrival.ts'

interface Props {
  title: string
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Text and forms are easier to read in a narrower column. */
  narrow?: boolean
  children: ReactNode
}

export function Screen({ title, actions, narrow = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – Almoner`
  }, [title])
  useEffect(() => {
    // The browser has put the focus of a fresh page where it belongs.
    if (!arrive()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Box maw={narrow ? 720 : undefined}>
      <Group justify="space-between" align="center" mb="md" gap="sm" mih={36}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  )
}
